package dev.semel.benchmarks.database;

import java.io.IOException;
import java.sql.SQLException;

/** Where a run measures. Everything that was created there is removed when it is closed. */
public interface Place extends AutoCloseable {

    /** Where it is and how it is set up, in one line. */
    String description();

    /** May be called more than once, and from a thread that ends the process. */
    @Override
    void close() throws IOException, SQLException;
}
