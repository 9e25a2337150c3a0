package dev.semel.messaging.brokers;

import dev.semel.messaging.Inbox;
import dev.semel.reconcile.UnknownOutcome;
import dev.semel.reconcile.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The effects of messages in these tests: one row each. No unique constraint refuses a second row. */
public final class EffectTable {

    public static final String DDL = "CREATE TABLE effect (intent text NOT NULL); CREATE INDEX ON effect (intent)";

    private final DataSource dataSource;

    public EffectTable(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public static void insert(Connection connection, String intent) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO effect (intent) VALUES (?)")) {
            statement.setString(1, intent);
            statement.executeUpdate();
        }
    }

    public void insert(String intent) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            insert(connection, intent);
        }
    }

    public long rows() throws SQLException {
        return number("SELECT count(*) FROM effect");
    }

    public long intents() throws SQLException {
        return number("SELECT count(DISTINCT intent) FROM effect");
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Resolves an unknown outcome by whether the row exists. */
    public Verdict resolve(UnknownOutcome unknown) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT 1 FROM effect WHERE intent = ?")) {
            statement.setString(1, unknown.identity().key().value());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Inbox.wasHandled("its row is there") : new Verdict.DidNotHappen("there is no row");
            }
        }
    }
}
