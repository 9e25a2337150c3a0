package dev.semel.spi;

import dev.semel.Identity;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A store that keeps what happened to each record.
 *
 * <p>An entry is written together with the change that it tells of: there is none without the other, and the entries of a
 * record, read in order, end in the state that it has. A record that pruning deletes takes its entries along.
 */
public interface AuditedStore extends Store {

    /** The entries of a record, oldest first; empty when there never was one. */
    CompletionStage<List<AuditEntry>> history(Identity identity);
}
