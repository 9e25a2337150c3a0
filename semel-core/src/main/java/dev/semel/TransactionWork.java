package dev.semel;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** The code of an operation whose effects are all in one database transaction. */
@FunctionalInterface
public interface TransactionWork<T extends @Nullable Object, E extends Exception> {

    /** Writes through this connection, and leaves committing and closing it to the caller. */
    T run(Connection connection, Attempt attempt) throws E;
}
