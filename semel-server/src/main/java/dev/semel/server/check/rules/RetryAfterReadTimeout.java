package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import java.time.Duration;

/** A client that stops waiting for an answer and retries has one effect, while the first request still runs. */
final class RetryAfterReadTimeout implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "retry-after-read-timeout",
                Level.MUST,
                "A retry after a read timeout has no second effect",
                Source.draft("1"));
    }

    @Override
    public int requests(int concurrency) {
        return 4;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        Duplicates duplicates = Duplicates.begin(probe);
        Duration timeout = probe.baseline().latency().dividedBy(2);
        duplicates.add(probe.client().sendAgainAfter(intent.request(), timeout));
        probe.settle();
        duplicates.add(probe.sendUntilFinal(intent.request()));
        return duplicates.judge(Reproduction.of(intent)
                .sendTogether(intent.request(), 2, "the second while the first still runs")
                .count("more than one effect"));
    }
}
