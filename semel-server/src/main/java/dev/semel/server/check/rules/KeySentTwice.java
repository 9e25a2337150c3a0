package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.subject.KeyHeader;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;
import java.util.OptionalLong;

/** Two key lines in one request are refused, or protect it all the same. */
final class KeySentTwice implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "key-sent-twice",
                Level.SHOULD,
                "Two different keys in one request are refused, or work",
                Source.draft("2.1"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        Intent second = probe.newIntent();
        KeyHeader keys = probe.baseline().keys();
        WireRequest request = probe.withKeyLines(intent, keys.value(intent.key()), keys.value(second.key()));
        OptionalLong before = probe.effects();
        Reply reply = probe.send(request);
        Reproduction steps = Reproduction.of(intent, second).send(request, "two keys: " + reply.brief());
        if (reply instanceof Answer answer && answer.isClientError()) {
            return Outcome.holds("refused with " + answer.status());
        }
        if (!(reply instanceof Answer answer) || answer.isServerError()) {
            return new Outcome.Broken("two keys in one request got " + reply.brief() + " instead of 400", steps);
        }
        Reply retry = probe.sendUntilFinal(request);
        return probe.executionsSince(before).orElse(1) > 1
                ? new Outcome.Broken(
                        "two keys in one request are accepted, and protect nothing: two executions",
                        steps.send(request, "the retry: " + retry.brief()))
                : probe.holds("accepted, and the retry has no second effect");
    }
}
