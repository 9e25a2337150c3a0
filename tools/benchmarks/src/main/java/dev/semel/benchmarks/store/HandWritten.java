package dev.semel.benchmarks.store;

import dev.semel.Response;
import java.sql.SQLException;
import java.util.Optional;

/** A table of keys as people write it for themselves. */
interface HandWritten extends AutoCloseable {

    /** Whether this key is new; if so, it is ours. */
    boolean claim(String key) throws SQLException;

    void complete(String key, byte[] response) throws SQLException;

    /** What a repeated request is answered with; empty while there is no answer. */
    Optional<Response> replay(String key) throws SQLException;

    /** A new key from claim to completion. */
    default void pair(String key, byte[] response) throws SQLException {
        if (!claim(key)) {
            throw new IllegalStateException("the key " + key + " is not new");
        }
        complete(key, response);
    }

    @Override
    void close();
}
