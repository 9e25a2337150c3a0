package dev.semel.model;

import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Transitions;
import dev.semel.spi.Transitions.SweepDecision;
import java.util.Objects;

/** What must hold, with the numbers of {@code docs/reference/guarantees.md}. */
enum Rule {
    I1("the effect happened twice") {
        @Override
        boolean isBrokenIn(World world, Setup setup) {
            return world.effects() > 1;
        }
    },
    I2("a write without the record's fence was accepted, or a fence did not rise") {
        @Override
        boolean isBrokenBy(Write write, StoredRecord before, StoredRecord after) {
            boolean grant = write.isGrant();
            return grant ? after.fence() <= before.fence() : write.fence() != before.fence();
        }
    },
    I4("a completed record changed within retention") {
        @Override
        boolean isBrokenBy(Write write, StoredRecord before, StoredRecord after) {
            return before.state() == State.COMPLETED
                    && !(after.state() == State.COMPLETED && Objects.equals(before.response(), after.response()));
        }
    },
    I5("the expiry of a lease alone allowed another execution") {
        @Override
        boolean isBrokenBy(Write write, StoredRecord before, StoredRecord after) {
            boolean freed = write.isGrant() || after.state() == State.FAILED_RETRYABLE;
            return before.state() == State.IN_PROGRESS && !before.reexecutable() && freed && !write.byHolder();
        }
    },
    I6("an unknown outcome was settled without evidence, or released by its own attempt") {
        @Override
        boolean isBrokenBy(Write write, StoredRecord before, StoredRecord after) {
            return before.state() == State.UNKNOWN
                    && after.state() != State.UNKNOWN
                    && (after.evidence() == null || (write.byHolder() && after.state() != State.COMPLETED));
        }
    },
    I11("an expired lease goes unnoticed by the sweeper") {
        @Override
        boolean isBrokenIn(World world, Setup setup) {
            StoredRecord record = world.entry().leaseExpired().at(setup.reexecutable());
            if (record == null || record.state() != State.IN_PROGRESS) {
                return false;
            }
            SweepDecision expected = SweepDecision.GIVE_UP;
            if (setup.reexecutable()) {
                expected = world.entry().noticed() ? SweepDecision.LEAVE : SweepDecision.REOFFER;
            }
            return Transitions.onSweep(record) != expected;
        }
    },
    NO_FALSE_COMPLETION("the record is completed, but nothing happened") {
        @Override
        boolean isBrokenIn(World world, Setup setup) {
            return world.entry().state() == State.COMPLETED && world.entry().kept() && world.effects() == 0;
        }
    };

    private final String broken;

    Rule(String broken) {
        this.broken = broken;
    }

    boolean isBrokenIn(World world, Setup setup) {
        return false;
    }

    /** Whether a change from one existing record to another breaks the rule. */
    boolean isBrokenBy(Write write, StoredRecord before, StoredRecord after) {
        return false;
    }

    @Override
    public String toString() {
        return name() + ": " + broken;
    }
}
