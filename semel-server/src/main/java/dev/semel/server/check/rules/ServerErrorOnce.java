package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import java.util.OptionalLong;

/** A request that had its effect and was answered 5xx is not executed again. */
final class ServerErrorOnce implements Rule {

    static final Outcome NO_FAILURE =
            new Outcome.Skipped("needs a request that the API answers with 5xx: --failing-body");

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "server-error-once", Level.MUST, "A retry after a 5xx has no second effect", Source.draft("2.6"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    @Override
    public Outcome check(Probe probe) {
        String failing = probe.target().bodies().failing();
        if (failing == null) {
            return NO_FAILURE;
        }
        Intent intent = probe.newIntent(failing);
        OptionalLong before = probe.effects();
        Reply first = probe.send(intent.request());
        if (!(first instanceof Answer answer) || !answer.isServerError()) {
            return new Outcome.CouldNotTell("the failing body got " + first.brief() + " instead of 5xx");
        }
        long firstEffects = probe.executionsSince(before).orElse(0);
        Reply retry = probe.send(intent.request());
        OptionalLong all = probe.executionsSince(before);
        if (all.isEmpty()) {
            return new Outcome.CouldNotTell("effects are not counted; the retry got " + retry.brief());
        }
        if (all.getAsLong() > 1) {
            return new Outcome.Broken(
                    "the first request had its effect and got " + first.brief() + ", the retry had it again and got "
                            + retry.brief(),
                    Reproduction.of(intent)
                            .send(intent.request(), first.brief())
                            .send(intent.request(), retry.brief())
                            .count("more than one effect"));
        }
        return probe.holds(firstEffects + " effects before the " + first.brief() + ", " + all.getAsLong()
                + " after the retry, which got " + retry.brief());
    }
}
