package dev.semel.jdbc.internal;

import dev.semel.StoreException;

/** A library with a JDBC driver. Semel brings none: an application adds the one of its database. */
public enum DriverLibrary {
    POSTGRESQL("PostgreSQL", "org.postgresql:postgresql", "org.postgresql.Driver"),
    /** Connects to MySQL, too. */
    MARIADB("MySQL and MariaDB", "org.mariadb.jdbc:mariadb-java-client", "org.mariadb.jdbc.Driver"),
    SQLITE("SQLite", "org.xerial:sqlite-jdbc", "org.sqlite.JDBC");

    private final String database;
    private final String coordinates;
    private final String driver;

    DriverLibrary(String database, String coordinates, String driver) {
        this.database = database;
        this.coordinates = coordinates;
        this.driver = driver;
    }

    /**
     * Checks that the driver is there.
     *
     * @throws StoreException when it is missing; the message names the dependency to add
     */
    public void require() {
        try {
            Class.forName(driver, true, DriverLibrary.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw missing(e);
        }
    }

    StoreException missing(Exception cause) {
        return new StoreException(
                "the JDBC driver for " + database + " is not on the class path; add the dependency " + coordinates,
                cause);
    }
}
