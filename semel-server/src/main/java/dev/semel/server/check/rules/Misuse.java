package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.subject.OtherBodies;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A key that was used for one request, and is used for another one.
 *
 * @param executions of the other request; empty when effects are not counted
 */
record Misuse(Intent intent, Answer recorded, WireRequest other, Reply reply, OptionalLong executions) {

    /** Sends the first request, then the other one. Empty when the first does not succeed. */
    static Optional<Misuse> of(Probe probe, Intent intent, WireRequest other) {
        Reply first = probe.sendUntilFinal(intent.request());
        if (!(first instanceof Answer recorded) || !recorded.isSuccess()) {
            return Optional.empty();
        }
        OptionalLong before = probe.effects();
        Reply reply = probe.send(other);
        return Optional.of(new Misuse(intent, recorded, other, reply, probe.executionsSince(before)));
    }

    /** With another body, which the API accepts with a key of its own. Empty when none was found. */
    static Optional<Misuse> withOtherBody(Probe probe) {
        Intent intent = probe.newIntent();
        String body = intent.request().bodyText();
        List<String> others = probe.target().bodies().other() == null
                ? OtherBodies.of(body)
                : List.of(probe.newIntent(probe.target().bodies().other())
                        .request()
                        .bodyText());
        if (body.isEmpty()) {
            return Optional.empty();
        }
        for (String other : others) {
            WireRequest changed = Probe.withBody(intent.request(), other);
            WireRequest alone = Probe.withBody(probe.newIntent().request(), other);
            if (probe.send(alone) instanceof Answer accepted && accepted.isSuccess()) {
                return of(probe, intent, changed);
            }
        }
        return Optional.empty();
    }

    static final Outcome NO_OTHER_BODY =
            new Outcome.CouldNotTell("no other body was found that the API accepts; --other-body gives one");

    boolean isExecuted() {
        return executions.isPresent() && executions.getAsLong() > 0;
    }

    Outcome.Broken broken(String detail, String comment) {
        return new Outcome.Broken(
                detail,
                Reproduction.of(intent)
                        .send(intent.request(), recorded.brief())
                        .send(other, comment + ": " + reply.brief()));
    }

    /** What the answer shows of the recorded one. */
    Optional<String> leak(Probe probe) {
        if (!(reply instanceof Answer answer)) {
            return Optional.empty();
        }
        return probe.reveals(answer, recorded)
                ? Optional.of("the recorded answer")
                : Leak.of(recorded, answer, other, probe.baseline().answer());
    }
}
