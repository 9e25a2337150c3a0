package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import java.time.Duration;
import java.util.Collections;

/** Duplicates that arrive all along an execution, and shortly after it, have one effect. */
final class DuplicatesStaggered implements Rule {

    private static final int TIMES = 8;

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "duplicates-staggered",
                Level.MUST,
                "Duplicates during the execution have one effect",
                Source.draft("2.6"));
    }

    @Override
    public int requests(int concurrency) {
        return TIMES + 2;
    }

    /** Spread over one and a half executions, so that the last ones arrive when the answer is just sent. */
    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        Duplicates duplicates = Duplicates.begin(probe);
        Duration stagger = probe.baseline().latency().multipliedBy(3).dividedBy(2L * TIMES);
        duplicates.addAll(probe.client().sendTogether(Collections.nCopies(TIMES, intent.request()), stagger));
        duplicates.add(probe.sendUntilFinal(intent.request()));
        return duplicates.judge(Reproduction.of(intent)
                .sendTogether(intent.request(), TIMES, "each " + stagger.toMillis() + " ms after the one before")
                .count("more than one effect"));
    }
}
