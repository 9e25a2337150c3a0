package dev.semel.jdbc.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** A database in which an application keeps orders next to Semel's records, and a store of its own pool on it. */
final class OrdersDatabase implements AutoCloseable {

    /** Longer than any test takes. */
    static final Duration PATIENT = Duration.ofMinutes(1);

    private final String uri;
    private final PostgresStore store;
    private final HikariDataSource application;

    OrdersDatabase() throws SQLException {
        uri = PostgresServer.shared().newDatabase();
        store = (PostgresStore) Stores.open(uri);
        application = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
        PostgresServer.execute(uri, "CREATE TABLE orders (name text, UNIQUE (name) DEFERRABLE INITIALLY DEFERRED)");
    }

    String uri() {
        return uri;
    }

    PostgresStore store() {
        return store;
    }

    /** Connections of the application. */
    DataSource connections() {
        return application;
    }

    /** A connection of the application, in a transaction. */
    Connection begin() throws SQLException {
        Connection connection = application.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Claims within the transaction, and expects the grant. */
    Granted granted(Connection connection, String key) {
        StoreTransaction transaction = store.within(connection, PATIENT);
        ClaimAnswer answer = transaction.claim(StoreVerbs.request(key));
        if (answer instanceof ClaimAnswer.Granted granted) {
            return new Granted(transaction, granted);
        }
        throw new AssertionError("expected the claim to be granted, but got " + answer);
    }

    /** A claim that was granted within a transaction. */
    record Granted(StoreTransaction transaction, ClaimAnswer.Granted answer) {}

    static void order(Connection connection, String name) throws SQLException {
        execute(connection, "INSERT INTO orders VALUES ('" + name + "')");
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** What another connection sees: the names of the orders, sorted. */
    String orders() throws SQLException {
        try (Connection connection = application.getConnection()) {
            return text(connection, "SELECT coalesce(string_agg(name, ' ' ORDER BY name), '') FROM orders");
        }
    }

    @Override
    public void close() {
        application.close();
        store.close();
    }
}
