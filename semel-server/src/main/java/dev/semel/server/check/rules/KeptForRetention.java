package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import java.time.Duration;

/** Within the stated retention a retry has no second effect. */
final class KeptForRetention implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "kept-for-retention", Level.MUST, "A key is kept as long as the API states", Source.draft("2.3"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    /** The retry is sent after four fifths of the retention: the rest is for clocks and slow machines. */
    @Override
    public Outcome check(Probe probe) {
        return Retentions.check(probe, retention -> {
            Intent intent = probe.newIntent();
            Duplicates duplicates = Duplicates.begin(probe);
            duplicates.add(probe.send(intent.request()));
            Duration pause = retention.multipliedBy(4).dividedBy(5);
            probe.client().time().pause(pause);
            duplicates.add(probe.sendUntilFinal(intent.request()));
            return duplicates.judge(Reproduction.of(intent)
                    .send(intent.request(), "executed")
                    .await(RetryAfterHangUp.seconds(pause))
                    .send(intent.request(), "within the retention, executed again")
                    .count("more than one effect"));
        });
    }
}
