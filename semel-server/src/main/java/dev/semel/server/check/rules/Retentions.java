package dev.semel.server.check.rules;

import java.time.Duration;
import java.util.function.Function;

/** Rules that wait for a retention. */
final class Retentions {

    private Retentions() {}

    static Outcome check(Probe probe, Function<Duration, Outcome> check) {
        Duration retention = probe.settings().retention();
        if (retention == null) {
            return new Outcome.Skipped("needs the retention that the API states: --retention");
        }
        return retention.compareTo(probe.settings().waits().patience()) > 0
                ? new Outcome.Skipped(
                        "the retention is too long to be waited for; test with a short one, or raise --patience")
                : check.apply(retention);
    }
}
