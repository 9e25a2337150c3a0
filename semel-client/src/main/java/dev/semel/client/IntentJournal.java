package dev.semel.client;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A durable record of intents and their keys, so that a client resumes with the same key after a crash.
 *
 * <p>The client records an intent before it is sent for the first time, and marks it as finished when it has the final answer.
 * Finished intents are kept for a while: a program that crashes before it has stored the answer itself sends the intent again,
 * and gets the replay. Implementations are safe for use by many threads.
 */
public interface IntentJournal {

    /** Returns the entry with this name, unfinished or finished. */
    Optional<Entry> find(String name);

    /**
     * Records an intent, or finds the one that is recorded with its name.
     *
     * @return the recorded entry, which is unfinished from now on, and durable when this returns
     * @throws IOException when it may not have been recorded; the intent is then not sent
     */
    Begun begin(Entry proposed) throws IOException;

    /** Marks an intent as finished; a name that is not recorded is ignored. */
    void finish(String name) throws IOException;

    /**
     * Removes an intent, so that its name gets a new key.
     *
     * <p>Call this only when its outcome is known from another source.
     */
    void forget(String name) throws IOException;

    /** Returns the intents without a final answer, the oldest first. */
    List<Entry> unfinished();

    /**
     * A recorded intent.
     *
     * @param digest of the request's method, URI, media type and body
     * @param begun when it was first recorded
     */
    record Entry(String name, String key, String digest, Instant begun) {}

    /**
     * The answer of {@link #begin}.
     *
     * @param first whether the entry is new
     */
    record Begun(Entry entry, boolean first) {}
}
