package dev.semel.torture.history;

import dev.semel.Identity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An event in one of the four logs. */
public sealed interface HistoryEvent permits ClientEvent, LedgerEvent, AuditEvent, FaultEvent {

    /** By the clock of the process that logged it. */
    Instant at();

    /** The record that it is about; null for a fault that is about none. */
    @Nullable
    Identity identity();

    /** The event as a line of its log. */
    String line();
}
