package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;

/** A key that is too long is refused as the client's mistake, or it works. */
final class KeyTooLong implements Rule {

    /** Longer than any limit that is documented, shorter than the head that servers accept. */
    private static final int LENGTH = 4000;

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "key-too-long",
                Level.SHOULD,
                "A key of " + LENGTH + " characters is refused, or works",
                Source.draft("5"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        WireRequest request = LongKeys.request(probe, intent, intent.key(), LENGTH, 'a');
        var before = probe.effects();
        Reply reply = probe.send(request);
        Reproduction steps = Reproduction.of(intent).send(request, LENGTH + " characters: " + reply.brief());
        if (reply instanceof Answer answer && answer.isClientError()) {
            return Outcome.holds("refused with " + answer.status());
        }
        if (!(reply instanceof Answer answer) || answer.isServerError()) {
            return new Outcome.Broken(
                    "a key of " + LENGTH + " characters got " + reply.brief() + " instead of 400", steps);
        }
        Reply retry = probe.sendUntilFinal(request);
        var executions = probe.executionsSince(before);
        return executions.isPresent() && executions.getAsLong() > 1
                ? new Outcome.Broken(
                        "a key of " + LENGTH + " characters is accepted, and protects nothing: two executions",
                        steps.send(request, "the retry: " + retry.brief()))
                : probe.holds("accepted, and its retry has no second effect");
    }
}
