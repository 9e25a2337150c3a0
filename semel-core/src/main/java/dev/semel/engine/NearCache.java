package dev.semel.engine;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import java.time.Duration;
import java.util.Optional;

/**
 * Completed records in this process's memory, from which an engine replays without asking its store.
 *
 * <ol>
 *   <li>It holds copies of what is on record: it may forget anything at any time, and nothing is lost.
 *   <li>The engine decides what is kept, whether an entry is still good, and what a request gets of it. A cache only holds
 *       entries, and unchanged.
 *   <li>All methods may be called from any thread. They are called in the middle of requests and must not block.
 *   <li>What a method throws is reported to listeners, and the store is asked instead.
 * </ol>
 */
public interface NearCache {

    /** Returns what is kept of this record. */
    Optional<Entry> find(Identity identity);

    /** Keeps an entry, in place of an earlier one, for at most this long; or does not, for want of room. */
    void keep(Entry entry, Duration atMost);

    /** Drops what is kept of this record, so that the next request asks the store. */
    void forget(Identity identity);

    /** Drops everything. */
    void clear();

    /**
     * A completed record, as far as a replay needs it.
     *
     * @param response as it lies in the store: what is encrypted there is encrypted here
     * @param origin what a replay says of the record
     * @param keeper the engine that keeps it; no other answers from it, since another one may have another store, and
     *     another sense of time
     * @param untilNanos when the keeper's {@link Timer#nanos} has reached this value, the record may be past its retention, and the entry
     *     answers no request
     */
    record Entry(
            Identity identity,
            Fingerprint fingerprint,
            Response response,
            Origin origin,
            long keeper,
            long untilNanos) {}

    /**
     * What is known of the attempt that completed a record.
     *
     * @param operation the operation's name
     * @param completedNanos the keeper's {@link Timer#nanos} when the record was completed; before the first value that the
     *     timer has had, where another process completed it
     */
    record Origin(String operation, long fence, long completedNanos) {}
}
