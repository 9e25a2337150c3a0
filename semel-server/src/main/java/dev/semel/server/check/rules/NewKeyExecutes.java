package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import java.util.OptionalLong;

/** A new key is a new intent, also where the rest of the request is the same. */
final class NewKeyExecutes implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "new-key-executes", Level.MUST, "A request with a new key is executed", Source.draft("2.6"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent first = probe.newIntent();
        Reply one = probe.send(first.request());
        Intent other = probe.newIntent();
        var second = probe.withKeyLines(first, probe.baseline().keys().value(other.key()));
        OptionalLong before = probe.effects();
        Reply two = probe.send(second);
        OptionalLong executions = probe.executionsSince(before);
        Reproduction steps = Reproduction.of(first, other)
                .send(first.request(), one.brief())
                .send(second, "another key: " + two.brief());
        if (!(two instanceof Answer answer) || !answer.isSuccess()) {
            return new Outcome.CouldNotTell("the same request with another key got " + two.brief()
                    + "; a {{uuid}} or {{int}} in the body helps where the API allows each value once");
        }
        if ((executions.isPresent() && executions.getAsLong() == 0)
                || (one instanceof Answer recorded
                        && ReplayMark.of(recorded, answer).isPresent())) {
            return new Outcome.Broken(
                    "the same request with another key was not executed: its answer was " + two.brief(),
                    steps.count("one effect instead of two"));
        }
        return probe.holds("a new key is a new intent");
    }
}
