package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;

/** A request without a key is refused with 400, where the API requires one. */
final class KeyMissing implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "key-missing", Level.SHOULD, "A request without a required key gets 400", Source.draft("2.7"));
    }

    @Override
    public int requests(int concurrency) {
        return 1;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        WireRequest request = probe.withKeyLines(intent);
        Reply reply = probe.send(request);
        if (reply instanceof Answer answer && answer.status() == 400) {
            return Outcome.holds("refused with 400");
        }
        if (reply instanceof Answer answer
                && answer.isSuccess()
                && !probe.settings().keyRequired()) {
            return new Outcome.Skipped(
                    "requests without a key are executed; --key-required says that the API requires one");
        }
        return new Outcome.Broken(
                "a request without a key got " + reply.brief() + " instead of 400",
                Reproduction.of(intent).send(request, "without a key: " + reply.brief()));
    }
}
