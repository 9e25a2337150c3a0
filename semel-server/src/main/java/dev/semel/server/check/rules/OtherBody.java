package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A used key with another body is refused: neither executed, nor answered with the recorded result.
 *
 * <ol>
 *   <li>After the result was recorded.
 *   <li>The refusal changes nothing: the first request still gets its result, and is not executed again.
 *   <li>While the first request runs: a duplicate that waits for a result must be a duplicate.
 * </ol>
 */
final class OtherBody implements Rule {

    private static final String COMMENT = "another body with the same key";

    @Override
    public RuleInfo info() {
        return new RuleInfo("other-body", Level.MUST, "A used key with another body is refused", Source.draft("2.7"));
    }

    @Override
    public int requests(int concurrency) {
        return 9;
    }

    @Override
    public Outcome check(Probe probe) {
        return Misuse.withOtherBody(probe).map(misuse -> judge(probe, misuse)).orElse(Misuse.NO_OTHER_BODY);
    }

    private static Outcome judge(Probe probe, Misuse misuse) {
        return mistake(probe, misuse)
                .or(() -> changed(probe, misuse.other().bodyText()))
                .or(() -> whileRunning(probe, misuse.other().bodyText()))
                .map(Outcome.class::cast)
                .orElseGet(() -> probe.holds("refused with " + misuse.reply().brief()));
    }

    private static Optional<Outcome.Broken> mistake(Probe probe, Misuse misuse) {
        if (misuse.isExecuted()) {
            return Optional.of(misuse.broken(
                    "another body with a used key was executed, and answered "
                            + misuse.reply().brief(),
                    COMMENT));
        }
        if (misuse.reply() instanceof Answer answer && answer.isSuccess()) {
            return Optional.of(misuse.broken(
                    "another body with a used key was answered " + answer.status()
                            + ", as if it had been executed: its sender takes another result for its own",
                    COMMENT));
        }
        return misuse.leak(probe).map(shown -> misuse.broken("the refusal shows " + shown, COMMENT));
    }

    private static Optional<Outcome.Broken> changed(Probe probe, String otherBody) {
        Intent intent = probe.newIntent();
        WireRequest other = Probe.withBody(intent.request(), otherBody);
        Reply first = probe.sendUntilFinal(intent.request());
        boolean replayed = probe.sendUntilFinal(intent.request()) instanceof Answer retry && retry.isSuccess();
        OptionalLong before = probe.effects();
        Reply refusal = probe.send(other);
        Reply again = probe.sendUntilFinal(intent.request());
        boolean executed = probe.executionsSince(before).orElse(0) > 0;
        boolean lost = replayed && again instanceof Answer answer && answer.isClientError();
        if (!executed && !lost) {
            return Optional.empty();
        }
        return Optional.of(new Outcome.Broken(
                "after the refusal of another body, a retry of the first request "
                        + (executed ? "was executed again" : "got " + again.brief() + " instead of its result"),
                Reproduction.of(intent)
                        .send(intent.request(), first.brief())
                        .send(other, COMMENT + ": " + refusal.brief())
                        .send(intent.request(), "a retry of the first request: " + again.brief())
                        .count("one effect")));
    }

    private static Optional<Outcome.Broken> whileRunning(Probe probe, String otherBody) {
        Intent intent = probe.newIntent();
        WireRequest other = Probe.withBody(intent.request(), otherBody);
        OptionalLong before = probe.effects();
        List<Reply> replies = probe.client().sendTogether(List.of(intent.request(), other), Duration.ZERO);
        boolean both = replies.stream()
                .allMatch(reply -> reply instanceof Answer answer && answer.isSuccess() && !probe.asksToWait(answer));
        boolean executed = probe.executionsSince(before).orElse(0) > 1;
        if (!both && !executed) {
            return Optional.empty();
        }
        return Optional.of(new Outcome.Broken(
                "two bodies with one key at the same time were answered "
                        + replies.get(0).brief() + " and " + replies.get(1).brief()
                        + (executed
                                ? ", and both executed"
                                : ": a sender takes the result of the other request for its own"),
                Reproduction.of(intent)
                        .sendTogether(List.of(intent.request(), other), "at the same time, with one key")
                        .count("one effect")));
    }
}
