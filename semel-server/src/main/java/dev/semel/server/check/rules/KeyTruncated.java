package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Every character of an accepted key counts, also its case: two long keys with the same beginning are two keys. */
final class KeyTruncated implements Rule {

    /** The second is for APIs that refuse the first. */
    private static final List<Integer> LENGTHS = List.of(600, 200);

    private static final int TOO_MANY_REQUESTS = 429;

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "key-truncated", Level.MUST, "Every character of an accepted key counts", Source.draft("2.2"));
    }

    @Override
    public int requests(int concurrency) {
        return 6;
    }

    @Override
    public Outcome check(Probe probe) {
        for (int length : LENGTHS) {
            Intent one = probe.newIntent();
            WireRequest first = LongKeys.request(probe, one, one.key(), length, 'a');
            if (probe.send(first) instanceof Answer recorded && recorded.isSuccess()) {
                Used used = new Used(one, length, first, recorded);
                return takenForOne(probe, used, 'b', "in the last one")
                        .or(() -> takenForOne(probe, used, 'A', "in the case of a letter"))
                        .orElseGet(() -> probe.holds("keys of " + length
                                + " characters that differ in the last one, or in its case, are different keys"));
            }
        }
        return Outcome.holds("keys of " + LENGTHS + " characters are refused");
    }

    /** A key that was used. */
    private record Used(Intent intent, int length, WireRequest request, Answer recorded) {}

    private static Optional<Outcome> takenForOne(Probe probe, Used used, char end, String difference) {
        Intent two = probe.newIntent();
        WireRequest second = LongKeys.request(probe, two, used.intent().key(), used.length(), end);
        OptionalLong before = probe.effects();
        Reply reply = probe.send(second);
        if (!(reply instanceof Answer told) || told.isServerError() || told.status() == TOO_MANY_REQUESTS) {
            return Optional.of(new Outcome.CouldNotTell("another key of the same length got " + reply.brief()));
        }
        boolean executed = probe.executionsSince(before).orElse(1) > 0
                && reply instanceof Answer answer
                && answer.isSuccess()
                && !probe.reveals(answer, used.recorded());
        return executed
                ? Optional.empty()
                : Optional.of(new Outcome.Broken(
                        "two keys of " + used.length() + " characters that differ " + difference
                                + " are taken for one: the second request got " + reply.brief()
                                + ", and was not executed",
                        Reproduction.of(used.intent(), two)
                                .send(used.request(), used.recorded().brief())
                                .send(second, "another last character: " + reply.brief())));
    }
}
