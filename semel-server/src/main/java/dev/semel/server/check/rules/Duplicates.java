package dev.semel.server.check.rules;

import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Judges several requests with one key: they may have one effect, and all final answers must say the same. */
final class Duplicates {

    private final Probe probe;
    private final OptionalLong before;
    private final List<Reply> replies = new ArrayList<>();

    private Duplicates(Probe probe) {
        this.probe = probe;
        this.before = probe.effects();
    }

    /** Begins before the first request. */
    static Duplicates begin(Probe probe) {
        return new Duplicates(probe);
    }

    void add(Reply reply) {
        replies.add(reply);
    }

    void addAll(List<Reply> more) {
        replies.addAll(more);
    }

    Outcome judge(Reproduction reproduction) {
        List<Answer> successes = successes();
        OptionalLong executions = executions();
        if (executions.isPresent() && executions.getAsLong() > 1) {
            return new Outcome.Broken(
                    executions.getAsLong() + " executions instead of one; the answers were " + summary(), reproduction);
        }
        if (executions.isEmpty() && distinct(successes) > 1) {
            return new Outcome.Broken(
                    distinct(successes) + " different answers with one key, as of " + distinct(successes)
                            + " executions; the answers were " + summary(),
                    reproduction);
        }
        if (executions.isPresent() && executions.getAsLong() == 0) {
            return new Outcome.CouldNotTell("no effect was counted; the answers were " + summary());
        }
        if (successes.isEmpty()) {
            return new Outcome.CouldNotTell("no request got its result; the answers were " + summary());
        }
        return probe.holds(
                executions.isPresent()
                        ? "one execution; the answers were " + summary()
                        : "the answers were " + summary());
    }

    /** A second execution may come after the answers, from a queue or a request that was given up. */
    private OptionalLong executions() {
        OptionalLong first = probe.executionsSince(before);
        if (first.isEmpty() || first.getAsLong() > 1) {
            return first;
        }
        probe.settle();
        return probe.executionsSince(before);
    }

    private List<Answer> successes() {
        List<Answer> found = new ArrayList<>();
        for (Reply reply : replies) {
            if (reply instanceof Answer answer && answer.isSuccess() && !probe.asksToWait(answer)) {
                found.add(answer);
            }
        }
        return found;
    }

    private static long distinct(List<Answer> answers) {
        List<Answer> different = new ArrayList<>();
        for (Answer answer : answers) {
            if (different.stream().noneMatch(other -> Probe.sameMeaning(other, answer))) {
                different.add(answer);
            }
        }
        return different.size();
    }

    /** Such as {@code 1 x 201, 7 x 409}. */
    private String summary() {
        TreeMap<String, Integer> counts = new TreeMap<>();
        replies.forEach(reply -> counts.merge(reply.brief(), 1, Integer::sum));
        List<String> parts = new ArrayList<>();
        counts.forEach((brief, count) -> parts.add(count == 1 ? brief : count + " x " + brief));
        return String.join(", ", parts);
    }
}
