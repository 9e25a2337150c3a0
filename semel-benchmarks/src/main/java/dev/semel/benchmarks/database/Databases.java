package dev.semel.benchmarks.database;

import java.io.IOException;
import java.sql.SQLException;

/** A place for databases of this run. Everything that was created there is removed when it is closed. */
public interface Databases extends AutoCloseable {

    Dialect dialect();

    /** Where it is and how it is set up, in one line. */
    String description();

    /**
     * Creates an empty database.
     *
     * @param name lower-case letters and digits, unique in this run
     */
    Database create(String name) throws IOException, SQLException;

    /** May be called more than once, and from a thread that ends the process. */
    @Override
    void close() throws IOException, SQLException;
}
