package dev.semel.client;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A durable record of which intent is sent with which key, so that a client that crashes resumes with the same key.
 *
 * <p>The client writes an intent down before it is sent for the first time, and marks it as finished when it has the final
 * answer. Finished intents are remembered for a while: a program that crashes before it has noted the answer itself asks
 * again, and gets the replay. Implementations are safe for use by many threads.
 */
public interface IntentJournal {

    /** The entry by that name, unfinished or finished. */
    Optional<Entry> find(String name);

    /**
     * Writes an intent down, or finds it.
     *
     * @return the entry that is on record by that name, unfinished from now on; durable when this returns
     * @throws IOException when it is not certain to be on record; the intent is not sent then
     */
    Begun begin(Entry proposed) throws IOException;

    /** Marks an intent as finished. A name that is not on record is passed over. */
    void finish(String name) throws IOException;

    /**
     * Drops an intent, so that its name gets a new key.
     *
     * <p>That is for a person who has made sure by other means what became of it.
     */
    void forget(String name) throws IOException;

    /** Intents that were written down and have no final answer, the oldest first. */
    List<Entry> unfinished();

    /**
     * An intent on record.
     *
     * @param digest of the request: of its method, address, media type and body
     * @param begun when it was first written down
     */
    record Entry(String name, String key, String digest, Instant begun) {}

    /**
     * What is on record.
     *
     * @param first whether it was not there before
     */
    record Begun(Entry entry, boolean first) {}
}
