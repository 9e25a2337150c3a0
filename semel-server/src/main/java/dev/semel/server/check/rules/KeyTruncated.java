package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;
import java.util.List;
import java.util.OptionalLong;

/** Every character of an accepted key counts: two long keys with the same beginning are two keys. */
final class KeyTruncated implements Rule {

    /** The second is for APIs that refuse the first. */
    private static final List<Integer> LENGTHS = List.of(600, 200);

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "key-truncated", Level.MUST, "Every character of an accepted key counts", Source.draft("2.2"));
    }

    @Override
    public int requests(int concurrency) {
        return 4;
    }

    @Override
    public Outcome check(Probe probe) {
        for (int length : LENGTHS) {
            Intent one = probe.newIntent();
            Intent two = probe.newIntent();
            WireRequest first = LongKeys.request(probe, one, one.key(), length, 'a');
            WireRequest second = LongKeys.request(probe, two, one.key(), length, 'b');
            if (probe.send(first) instanceof Answer recorded && recorded.isSuccess()) {
                OptionalLong before = probe.effects();
                Reply reply = probe.send(second);
                boolean executed = probe.executionsSince(before).orElse(1) > 0
                        && reply instanceof Answer answer
                        && answer.isSuccess()
                        && !probe.reveals(answer, recorded);
                return executed
                        ? probe.holds("two keys of " + length + " characters that differ in the last one are two keys")
                        : new Outcome.Broken(
                                "two keys of " + length
                                        + " characters that differ in the last one are taken for one: the"
                                        + " second request got " + reply.brief() + ", and was not executed",
                                Reproduction.of(one, two)
                                        .send(first, recorded.brief())
                                        .send(second, "another last character: " + reply.brief()));
            }
        }
        return Outcome.holds("keys of " + LENGTHS + " characters are refused");
    }
}
