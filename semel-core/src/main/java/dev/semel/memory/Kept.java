package dev.semel.memory;

import dev.semel.spi.AuditEntry;
import dev.semel.spi.AuditEntry.Note;
import dev.semel.spi.StoredRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record and what happened to it. */
interface Kept {

    StoredRecord record();

    List<AuditEntry> history();

    /** What is kept after one more change; {@code seen} is the record before it as it read then. */
    static Kept after(@Nullable Kept before, @Nullable StoredRecord seen, StoredRecord written, Note note) {
        List<AuditEntry> earlier = before == null ? List.of() : before.history();
        AuditEntry[] history = earlier.toArray(new AuditEntry[earlier.size() + 1]);
        history[earlier.size()] = AuditEntry.of(history.length, seen, written, note);
        Full full = new Full(written, List.of(history));
        Kept compact = CompletedAtOnce.of(full);
        return compact == null ? full : compact;
    }

    /** Everything as it was written. */
    record Full(StoredRecord record, List<AuditEntry> history) implements Kept {}
}
