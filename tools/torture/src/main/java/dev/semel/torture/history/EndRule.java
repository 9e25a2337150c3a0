package dev.semel.torture.history;

import dev.semel.State;
import dev.semel.torture.history.AuditEvent.Read;
import java.time.Duration;

/** I11: soon after the last fault nothing is left hanging. */
final class EndRule implements Rule {

    private final Duration sweeps;
    private final Outages outages;

    EndRule(Duration sweeps, Outages outages) {
        this.sweeps = sweeps;
        this.outages = outages;
    }

    @Override
    public void check(KeyHistory key, Violations violations) {
        key.reads(Read.SETTLING)
                .filter(read -> read.overdue().compareTo(sweeps) > 0)
                .filter(read -> !outages.isMachineSlow(read.at().minus(read.overdue()), read.at()))
                .forEach(read -> violations.add(
                        "I11",
                        key,
                        "after the last fault the record was still in progress " + read.overdue()
                                + " after its lease had ended"));
        key.reads(Read.END)
                .filter(read -> read.standing().state() == State.IN_PROGRESS)
                .forEach(read -> violations.add("I11", key, "the record is in progress, and no attempt holds it"));
    }
}
