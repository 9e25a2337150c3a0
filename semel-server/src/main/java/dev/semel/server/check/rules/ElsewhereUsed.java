package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.WireRequest;

/** Judges a key that is used at another place of the API: it may be refused, or be a key of that place, but reveals nothing. */
final class ElsewhereUsed {

    private ElsewhereUsed() {}

    static Outcome check(Probe probe, Intent intent, WireRequest other, String what) {
        return Misuse.of(probe, intent, other)
                .map(misuse -> judge(probe, misuse, what))
                .orElseGet(() -> new Outcome.CouldNotTell("the first request did not succeed"));
    }

    private static Outcome judge(Probe probe, Misuse misuse, String what) {
        return misuse.leak(probe)
                .map(shown -> misuse.broken(
                        "a used key with another " + what + " was answered "
                                + misuse.reply().brief() + " with " + shown,
                        "another " + what + " with the same key"))
                .map(Outcome.class::cast)
                .orElseGet(() -> probe.holds(
                        misuse.isExecuted()
                                ? "taken as a key of its own, answered "
                                        + misuse.reply().brief()
                                : "answered " + misuse.reply().brief()));
    }
}
