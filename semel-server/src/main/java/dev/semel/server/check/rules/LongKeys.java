package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.WireRequest;

/** Keys of a given length. */
final class LongKeys {

    private LongKeys() {}

    /** A key that begins like the intent's, and ends with another letter for each caller's choice. */
    static WireRequest request(Probe probe, Intent intent, String beginning, int length, char end) {
        String key = beginning + "-".repeat(Math.max(0, length - beginning.length() - 1)) + end;
        return probe.withKeyLines(intent, probe.baseline().keys().value(key));
    }
}
