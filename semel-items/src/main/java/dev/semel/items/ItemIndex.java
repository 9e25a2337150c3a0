package dev.semel.items;

import dev.semel.Identity;
import dev.semel.Retention.Expiry;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where candidates for the verbs about many records are found. It may lag behind the table, and nothing is decided by it. */
public interface ItemIndex {

    /** Candidates, oldest first. */
    @FunctionalInterface
    interface Candidates {

        /** The next ones, at most so many; empty when there are no more. */
        List<Identity> next(int most);
    }

    /** How far a scan went. */
    record Extent(int examined, boolean complete) {}

    /** The name by which a search says that it used this index. */
    String name();

    /** Records in progress whose lease may have expired. */
    Candidates expired(int wanted);

    /** Unknown records of an operation that may be due. */
    Candidates due(String operation);

    /** All unknown records, of one operation if wanted. */
    List<Identity> unknown(@Nullable String operation);

    /** The identities of so many records. */
    List<Identity> sample(int limit);

    /** The records, without responses, steps and audit, among so many items. */
    Extent summaries(int most, Consumer<Item> consumer);

    /** Records past their retention, oldest first, among so many items; no marked ones where they would be marked. */
    List<Identity> prunable(Instant now, Expiry expiry, int most);
}
