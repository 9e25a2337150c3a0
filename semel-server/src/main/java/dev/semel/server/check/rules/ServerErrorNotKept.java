package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import java.util.OptionalLong;

/** A 5xx without an effect is not replayed: otherwise no retry with this key can ever succeed. */
final class ServerErrorNotKept implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "server-error-not-kept",
                Level.INFO,
                "A 5xx that had no effect is not replayed",
                Source.rfc(9110, "15.6"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    @Override
    public Outcome check(Probe probe) {
        String failing = probe.target().bodies().failing();
        if (failing == null) {
            return ServerErrorOnce.NO_FAILURE;
        }
        Intent intent = probe.newIntent(failing);
        OptionalLong before = probe.effects();
        Reply first = probe.send(intent.request());
        if (!(first instanceof Answer failure) || !failure.isServerError()) {
            return new Outcome.CouldNotTell("the failing body got " + first.brief() + " instead of 5xx");
        }
        if (probe.executionsSince(before).orElse(1) > 0) {
            return new Outcome.Skipped("the 5xx may have had an effect: to replay it is right");
        }
        Reply retry = probe.send(intent.request());
        return retry instanceof Answer again
                        && again.isServerError()
                        && ReplayMark.of(failure, again).isPresent()
                ? new Outcome.Broken(
                        "a " + first.brief() + " without an effect is replayed: no retry with this key can succeed",
                        Reproduction.of(intent)
                                .send(intent.request(), first.brief())
                                .send(intent.request(), "the retry: " + retry.brief()))
                : probe.holds("the retry got " + retry.brief());
    }
}
