package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;
import java.time.Duration;

/** A hint: another account gets its answer as fast for a key of the first account as for a new one. */
final class AccountTiming implements Rule {

    private static final int PAIRS = 5;

    /** Below this, the difference is that of the network and the scheduler. */
    private static final Duration NOTICEABLE = Duration.ofMillis(50);

    private static final int FACTOR = 5;

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "account-timing",
                Level.INFO,
                "The time of an answer does not tell whether another account used the key",
                Source.draft("5"));
    }

    @Override
    public int requests(int concurrency) {
        return 3 * PAIRS;
    }

    /** The shortest times are compared: they have the least noise. */
    @Override
    public Outcome check(Probe probe) {
        if (probe.account().isEmpty()) {
            return AccountIsolation.NO_ACCOUNT;
        }
        Duration used = Duration.ofDays(1);
        Duration fresh = Duration.ofDays(1);
        Intent last = probe.newIntent();
        WireRequest other = probe.asOther(last).request();
        for (int i = 0; i < PAIRS; i++) {
            last = probe.newIntent();
            other = probe.asOther(last).request();
            probe.send(last.request());
            used = shorter(used, probe.send(other));
            fresh = shorter(fresh, probe.send(probe.asOther(probe.newIntent()).request()));
        }
        String times = "at best " + used.toMillis() + " ms for a key of the first account, " + fresh.toMillis()
                + " ms for a new one";
        Duration difference = used.minus(fresh).abs();
        boolean tells = difference.compareTo(NOTICEABLE) > 0
                && (used.compareTo(fresh.multipliedBy(FACTOR)) > 0 || fresh.compareTo(used.multipliedBy(FACTOR)) > 0);
        return tells
                ? new Outcome.Broken(
                        "the second account can tell by the time: " + times,
                        Reproduction.of(last)
                                .send(last.request(), "the first account")
                                .send(other, "the second account"))
                : Outcome.holds(times);
    }

    private static Duration shorter(Duration best, Reply reply) {
        return reply.elapsed().compareTo(best) < 0 ? reply.elapsed() : best;
    }
}
