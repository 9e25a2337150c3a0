package dev.semel.server.check;

import dev.semel.server.check.oracle.EffectOracle;
import dev.semel.server.check.oracle.OracleException;
import dev.semel.server.check.rules.CheckSettings;
import dev.semel.server.check.rules.Outcome;
import dev.semel.server.check.rules.Probe;
import dev.semel.server.check.rules.Probe.Baseline;
import dev.semel.server.check.rules.Rule;
import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.subject.KeyHeader;
import dev.semel.server.check.subject.Target;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.BudgetSpentException;
import dev.semel.server.check.wire.NoAnswer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.UnresponsiveException;
import dev.semel.server.check.wire.WireClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Tries rules on operations, one after the other.
 *
 * <ol>
 *   <li>A request that is sent once must be accepted, and have an effect where effects are counted: otherwise nothing can be told.
 *   <li>Each rule makes intents of its own, so that it finds the same alone and together with others. Its values follow from the
 *       seed and the rule's id.
 *   <li>What stops a rule (no answer, no budget, no oracle) is a verdict of that rule, not the end of the run.
 * </ol>
 */
public final class Checker {

    private final CheckSettings settings;
    private final List<Rule> rules;
    private final WireClient client;

    public Checker(CheckSettings settings, List<Rule> rules, WireClient client) {
        this.settings = settings;
        this.rules = List.copyOf(rules);
        this.client = client;
    }

    /**
     * Tries all rules on an operation.
     *
     * @param oracle null when effects are not counted
     */
    public TargetResult check(Target target, @Nullable EffectOracle oracle) {
        String effects = oracle == null ? null : oracle.description();
        String command = oracle == null ? null : oracle.command();
        Baseline baseline;
        try {
            baseline = baseline(target, oracle);
        } catch (CannotCheckException | OracleException | BudgetSpentException | UnresponsiveException e) {
            return new TargetResult(target, effects, command, e.getMessage(), List.of());
        }
        List<RuleResult> results = new ArrayList<>();
        for (Rule rule : rules) {
            Random random = new Random(settings.seed()
                    ^ ((long) rule.info().id().hashCode() << 20)
                    ^ target.name().hashCode());
            Probe probe = new Probe(target, settings, new Probe.Tools(client, oracle), baseline, random);
            Duration start = client.time().now();
            Outcome outcome = outcome(rule, probe);
            RuleResult result =
                    new RuleResult(rule.info(), outcome, client.time().now().minus(start));
            results.add(result);
        }
        return new TargetResult(target, effects, command, null, results);
    }

    private static Outcome outcome(Rule rule, Probe probe) {
        try {
            return rule.check(probe);
        } catch (BudgetSpentException | UnresponsiveException | OracleException e) {
            return new Outcome.CouldNotTell(String.valueOf(e.getMessage()));
        }
    }

    private Baseline baseline(Target target, @Nullable EffectOracle oracle) {
        Random random = new Random(settings.seed());
        List<KeyHeader> forms = new ArrayList<>(List.of(settings.keys()));
        if (settings.quoted() == null) {
            forms.add(settings.keys().withQuotes(false));
        }
        String found = "nothing";
        for (KeyHeader keys : forms) {
            Intent intent = target.intent(keys, random);
            long before = oracle == null ? 0 : oracle.count();
            Reply reply = client.send(intent.request());
            if (reply instanceof Answer answer && answer.isSuccess()) {
                boolean late = oracle != null && oracle.count() == before;
                long effects = oracle == null ? 0 : effectsSince(oracle, before, late);
                Reply second = client.send(target.intent(keys, random).request());
                return new Baseline(keys, answer, effects, late, second.elapsed());
            }
            found = obstacle(reply);
        }
        throw new CannotCheckException("a request with a new key got " + found);
    }

    private long effectsSince(EffectOracle oracle, long before, boolean late) {
        if (late) {
            client.time().pause(settings.waits().settle());
        }
        long effects = oracle.count() - before;
        if (effects <= 0) {
            throw new CannotCheckException("a request with a new key was accepted, and " + oracle.description()
                    + " counted no effect; count something that the request adds, or use another --seed where the API"
                    + " remembers the keys of an earlier run");
        }
        return effects;
    }

    private static String obstacle(Reply reply) {
        if (reply instanceof NoAnswer none) {
            return none.brief() + "; " + none.advice();
        }
        Answer answer = (Answer) reply;
        String location = answer.first("Location").orElse("");
        if (answer.status() / 100 == 3 && !location.isEmpty()) {
            return answer.brief() + " to " + location + ", and redirects are not followed; give the address itself";
        }
        return answer.brief() + " " + shown(answer) + "; make it one that the API accepts";
    }

    private static String shown(Answer answer) {
        String text = answer.text().strip().replaceAll("\\s+", " ");
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }

    /** Without an accepted request there is nothing to repeat. */
    private static final class CannotCheckException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        CannotCheckException(String message) {
            super(message);
        }
    }
}
