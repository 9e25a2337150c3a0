package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;
import java.util.OptionalLong;

/** An empty key is refused, or means the same as none; two requests with empty keys never share an answer. */
final class KeyEmpty implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo("key-empty", Level.SHOULD, "An empty key is refused, or means no key", Source.draft("5"));
    }

    @Override
    public int requests(int concurrency) {
        return 7;
    }

    @Override
    public Outcome check(Probe probe) {
        Outcome bare = judge(probe, "");
        if (!(bare instanceof Outcome.Holds) || !probe.baseline().keys().quoted()) {
            return bare;
        }
        // Where quotes are a part of the key, two quotes are a key of two characters.
        Outcome quoted = judge(probe, "\"\"");
        return quoted instanceof Outcome.Holds || KeyQuotedAndBare.isOneKey(probe) ? quoted : bare;
    }

    private static Outcome judge(Probe probe, String value) {
        Intent intent = probe.newIntent();
        Intent next = probe.newIntent();
        WireRequest one = probe.withKeyLines(intent, value);
        WireRequest two = probe.withKeyLines(next, value);
        Reply first = probe.send(one);
        Reproduction steps = Reproduction.of(intent, next).send(one, "an empty key: " + first.brief());
        if (first instanceof Answer answer && answer.isClientError()) {
            return Outcome.holds("refused with " + answer.status());
        }
        if (!(first instanceof Answer recorded) || recorded.isServerError()) {
            return new Outcome.Broken("an empty key got " + first.brief() + " instead of 400", steps);
        }
        OptionalLong before = probe.effects();
        Reply second = probe.send(two);
        OptionalLong executions = probe.executionsSince(before);
        boolean shared = (executions.isPresent() && executions.getAsLong() == 0)
                || (second instanceof Answer answer
                        && (answer.isClientError()
                                || ReplayMark.of(recorded, answer).isPresent()));
        if (shared) {
            return new Outcome.Broken(
                    "the empty key counts as a key: another request with it got " + second.brief()
                            + ", and was not executed",
                    steps.send(two, "another request with an empty key: " + second.brief()));
        }
        Reply none = probe.send(probe.withKeyLines(probe.newIntent()));
        return none instanceof Answer answer && answer.isClientError()
                ? new Outcome.Broken(
                        "a request without a key is refused, one with an empty key is executed without protection",
                        steps)
                : probe.holds("means the same as no key");
    }
}
