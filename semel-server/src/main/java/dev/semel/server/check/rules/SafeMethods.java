package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;

/** Safe methods ignore keys. */
final class SafeMethods implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "safe-methods",
                Level.SHOULD,
                "GET with a used key is answered as without one",
                Source.rfc(9110, "9.2.1"));
    }

    @Override
    public int requests(int concurrency) {
        return 3;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        Reply first = probe.send(intent.request());
        WireRequest get = Probe.withBody(intent.request().withMethod("GET"), "").without("Content-Type");
        Reply without = probe.send(get.without(probe.settings().header()));
        Reply with = probe.send(get);
        if (!(first instanceof Answer recorded)
                || !(without instanceof Answer plain)
                || !(with instanceof Answer answer)) {
            return new Outcome.CouldNotTell(
                    "the answers were " + first.brief() + ", " + without.brief() + ", " + with.brief());
        }
        if (answer.status() != plain.status()
                || (probe.reveals(answer, recorded) && !Probe.sameMeaning(answer, plain))) {
            return new Outcome.Broken(
                    "GET got " + plain.status() + " without a key, and " + answer.status() + " with a used one",
                    Reproduction.of(intent)
                            .send(intent.request(), first.brief())
                            .send(get.without(probe.settings().header()), without.brief())
                            .send(get, with.brief()));
        }
        return Outcome.holds("GET got " + answer.status() + " with and without a key");
    }
}
