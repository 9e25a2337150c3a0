package dev.semel.adapter;

import dev.semel.Outcome;
import dev.semel.StoreException;

/** What became of an attempt's outcome. */
public sealed interface Settlement {

    /** The outcome is durable. */
    record Settled(Outcome outcome) implements Settlement {}

    /** The lease was lost before the attempt was settled: nothing was written, and the record says what another caller wrote. */
    record LeaseLost() implements Settlement {}

    /** The store did not confirm: the record says this outcome, or becomes unknown when the lease expires. */
    record Unconfirmed(StoreException fault) implements Settlement {}
}
