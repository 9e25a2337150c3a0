package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.HangUp;
import java.time.Duration;
import java.util.Locale;

/** A client that hangs up and retries has one effect: a lost connection says nothing about the execution. */
final class RetryAfterHangUp implements Rule {

    private final HangUp when;

    RetryAfterHangUp(HangUp when) {
        this.when = when;
    }

    @Override
    public RuleInfo info() {
        String words = when.name().toLowerCase(Locale.ROOT).replace("_", " the ");
        return new RuleInfo(
                "hang-up-" + when.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                Level.MUST,
                "A retry after the client hung up " + words + " has no second effect",
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
        Duration half = probe.baseline().latency().dividedBy(2);
        probe.client().hangUp(intent.request(), when, half);
        duplicates.add(probe.sendUntilFinal(intent.request()));
        probe.settle();
        duplicates.add(probe.sendUntilFinal(intent.request()));
        Reproduction steps = Reproduction.of(intent);
        if (when == HangUp.AFTER_ANSWER) {
            steps.send(intent.request(), "answered; the connection is reset then");
        } else {
            steps.giveUp(intent.request(), seconds(half), "hangs up");
        }
        return duplicates.judge(steps.send(intent.request(), "the retry").count("more than one effect"));
    }

    static String seconds(Duration length) {
        return String.format(Locale.ROOT, "%.3f", Math.max(1, length.toMillis()) / 1000.0);
    }
}
