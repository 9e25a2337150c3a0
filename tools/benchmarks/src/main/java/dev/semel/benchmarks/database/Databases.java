package dev.semel.benchmarks.database;

import java.io.IOException;
import java.sql.SQLException;

/** A place for databases of this run. */
public interface Databases extends Place {

    Dialect dialect();

    /**
     * Creates an empty database.
     *
     * @param name lower-case letters and digits, unique in this run
     */
    Database create(String name) throws IOException, SQLException;
}
