package dev.semel.spi;

import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import java.util.Optional;

/** A store's answer to a settlement. */
public sealed interface SettleAnswer {

    /** Written, and durable. {@code from} is the state it had: a late answer finds it unknown. */
    record Settled(State from) implements SettleAnswer {}

    /** Nothing was written: the fence is stale, or the state does not allow it. Empty if there is no record. */
    record Refused(Optional<StoredRecord> current) implements SettleAnswer {}
}
