package dev.semel.testkit.history;

import dev.semel.Identity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that one of the four parties saw or did. */
public sealed interface HistoryEvent permits ClientEvent, LedgerEvent, AuditEvent, FaultEvent {

    /** By the clock of whoever wrote it down. */
    Instant at();

    /** The record that it is about; null for a fault that is about none. */
    @Nullable
    Identity identity();

    /** The event as a line of its log. */
    String line();
}
