package dev.semel.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Databases on a PostgreSQL server that a URI names; the database that it names is left alone. */
final class PostgresDatabases implements Databases {

    private final StoreUri.Postgresql uri;
    private final String settings;
    private final CreatedDatabases created;

    /** @throws SQLException when the server cannot be reached */
    PostgresDatabases(StoreUri.Postgresql uri) throws SQLException {
        this.uri = uri;
        this.created = new CreatedDatabases(new Database(Dialect.POSTGRESQL, uri), "leave --store out");
        this.settings = settings();
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Override
    public String description() {
        return "PostgreSQL " + settings;
    }

    private String settings() throws SQLException {
        String[] names = {
            "fsync", "synchronous_commit", "full_page_writes", "commit_delay", "shared_buffers", "max_wal_size"
        };
        try (HikariDataSource pool = new Database(Dialect.POSTGRESQL, uri).administration();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            StringBuilder text = new StringBuilder(show(statement, "server_version"));
            for (String name : names) {
                text.append(", ").append(name).append('=').append(show(statement, name));
            }
            return text.toString();
        }
    }

    private static String show(Statement statement, String setting) throws SQLException {
        try (ResultSet row = statement.executeQuery("SHOW " + setting)) {
            row.next();
            return row.getString(1);
        }
    }

    @Override
    public Database create(String name) throws SQLException {
        String database = created.create(name);
        return new Database(
                Dialect.POSTGRESQL, new StoreUri.Postgresql(uri.server().withDatabase(database), uri.options()));
    }

    @Override
    public void close() throws SQLException {
        created.drop(" WITH (FORCE)");
    }
}
