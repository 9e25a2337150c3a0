package dev.semel.testkit.history;

import dev.semel.State;
import dev.semel.testkit.history.AuditEvent.Read;

/** I11: soon after the last fault nothing is left hanging. */
final class EndRule implements Rule {

    @Override
    public void check(KeyHistory key, Findings findings) {
        key.reads(Read.SETTLING)
                .filter(Read::expired)
                .forEach(read -> findings.add(
                        "I11",
                        key,
                        "a lease and two sweeps after the last fault the record is"
                                + " still in progress under an expired lease"));
        key.reads(Read.END)
                .filter(read -> read.standing().state() == State.IN_PROGRESS)
                .forEach(read -> findings.add("I11", key, "the record is in progress, and nobody works on it"));
    }
}
