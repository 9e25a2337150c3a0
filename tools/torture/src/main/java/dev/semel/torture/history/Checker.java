package dev.semel.torture.history;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.torture.history.AuditEvent.Changed;
import dev.semel.torture.history.ClientEvent.Answered;
import dev.semel.torture.history.LedgerEvent.Request;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Decides from the four logs of a run whether Semel kept its promises.
 *
 * <ol>
 *   <li>Each key is checked for itself, by every {@link Rule}; one whose audit is deleted with its record, by those that
 *       need none.
 *   <li>A violation makes the run invalid. A duplicate of a key, or evidence that turned out wrong, does not, if an attempt
 *       of that key had its effect later after it was given up than the settle window allows for: then the promise did
 *       not hold in the first place, and nothing can be said.
 *   <li>A run without violations is valid only if enough happened.
 * </ol>
 */
public final class Checker {

    /** What may happen when an attempt has its effect after the settle window. */
    private static final Set<String> OF_LATENESS = Set.of("I1", "I3", "I6");

    private final Expectations expectations;

    public Checker(Expectations expectations) {
        this.expectations = expectations;
    }

    public CheckResult check(History history) {
        Map<Identity, KeyHistory> keys = byKey(history);
        Outages outages = new Outages(history.faults());
        Map<String, Request> requests = FenceRule.byArrival(history);
        LateRule lateRule = new LateRule(expectations, outages);
        List<Rule> ofAudits = List.of(new ExecutionRule(), new FenceRule(requests), new TransitionRule(expectations));
        List<Rule> ofAll = List.of(
                lateRule,
                new AnswerRule(requests, outages, expectations.grace()),
                new EndRule(expectations.sweeps(), outages));
        Violations violations = new Violations(history.faults());
        keys.values().forEach(key -> {
            if (!expectations.late().test(key.identity())) {
                ofAudits.forEach(rule -> rule.check(key, violations));
            }
            ofAll.forEach(rule -> rule.check(key, violations));
        });

        Coverage coverage = coverage(history, keys, outages, lateRule);
        List<String> doubts = new ArrayList<>();
        Set<Identity> tooLate = new HashSet<>();
        keys.values()
                .forEach(key -> Lateness.of(key)
                        .filter(late -> late.by().compareTo(expectations.settleWindow()) > 0)
                        .ifPresent(late -> {
                            tooLate.add(key.identity());
                            doubts.add("fence " + late.fence() + " of " + key.identity() + " acted " + late.by()
                                    + " after it had been given up, later than the settle window of "
                                    + expectations.settleWindow());
                        }));
        keys.values().stream().filter(lateRule::isInDoubt).forEach(key -> {
            tooLate.add(key.identity());
            doubts.add("an attempt of " + key.identity() + " may have acted later than the settle window of "
                    + expectations.settleWindow() + ": the machine stood still meanwhile");
        });
        List<Violation> blamed = violations.all().stream()
                .filter(violation ->
                        !tooLate.contains(violation.identity()) || !OF_LATENESS.contains(violation.invariant()))
                .toList();
        if (!blamed.isEmpty()) {
            return new CheckResult.Invalid(coverage, blamed);
        }
        doubts.addAll(coverage.shortOf(expectations.floors()));
        return doubts.isEmpty()
                ? new CheckResult.Valid(coverage)
                : new CheckResult.Inconclusive(coverage, doubts, violations.all());
    }

    private static Map<Identity, KeyHistory> byKey(History history) {
        Map<Identity, KeyHistory> keys = new TreeMap<>();
        Stream.of(history.clients(), history.ledger(), history.audit())
                .flatMap(List::stream)
                .forEach(event -> {
                    Identity identity = event.identity();
                    if (identity != null) {
                        keys.computeIfAbsent(identity, KeyHistory::new).add(event);
                    }
                });
        return keys;
    }

    private Coverage coverage(History history, Map<Identity, KeyHistory> keys, Outages outages, LateRule lateRule) {
        Set<String> clients = new HashSet<>();
        Set<String> succeeded = new HashSet<>();
        for (ClientEvent event : history.clients()) {
            clients.add(event.which().client());
            if (event instanceof Answered answer && answer.isFinal()) {
                succeeded.add(event.which().client());
            }
        }
        int late = 0;
        int happened = 0;
        int notHappened = 0;
        for (KeyHistory key : keys.values()) {
            late += Lateness.wakeUps(key, outages);
            for (Changed change : key.changes()) {
                if (change.from() == State.UNKNOWN && !change.isLateAnswer()) {
                    happened += change.to().state() == State.COMPLETED ? 1 : 0;
                    notHappened += change.to().state() == State.FAILED_RETRYABLE ? 1 : 0;
                }
            }
        }
        return new Coverage(
                keys.size(),
                clients.size(),
                succeeded.size(),
                keys.values().stream().mapToInt(key -> key.charges().size()).sum(),
                outages.count(),
                outages.hit(keys).size(),
                late,
                happened,
                notHappened,
                (int) keys.keySet().stream().filter(expectations.late()).count(),
                keys.values().stream().mapToInt(lateRule::retries).sum(),
                (int) history.clients().stream()
                        .filter(event -> event instanceof Answered answer && answer.isLate())
                        .count());
    }
}
