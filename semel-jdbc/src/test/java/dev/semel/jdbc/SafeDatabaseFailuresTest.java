package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Failures;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The safe rule, on real failures of a database")
class SafeDatabaseFailuresTest {

    private static final Optional<Failures> NOT_EXECUTED = Optional.of(Failures.RETRY);
    private static final Optional<Failures> UNKNOWN = Optional.of(Failures.RECONCILE);

    private static final String URL =
            "jdbc:postgresql://localhost:" + PostgresServer.shared().port() + "/postgres?user=postgres";

    private interface Work {
        void run() throws SQLException;
    }

    @BeforeAll
    static void createTable() throws SQLException {
        try (Connection connection = connect()) {
            execute(connection, "CREATE TABLE IF NOT EXISTS safe_payments (id int PRIMARY KEY, amount int)");
            execute(connection, "TRUNCATE safe_payments");
            execute(connection, "INSERT INTO safe_payments VALUES (1, 100), (2, 200)");
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(URL);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Optional<Failures> meaningOf(Work work) {
        SQLException failure = catchThrowableOfType(SQLException.class, work::run);
        assertThat((Throwable) failure).isNotNull();
        return Failures.Rule.SAFE.judge(failure);
    }

    @Test
    void a_refused_connection_was_not_used() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        assertThat(meaningOf(() -> DriverManager.getConnection("jdbc:postgresql://localhost:" + closed + "/postgres")
                        .close()))
                .isEqualTo(NOT_EXECUTED);
    }

    @Test
    void an_exhausted_pool_has_sent_nothing() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(URL);
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(300);
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection only = pool.getConnection()) {
            assertThat(only.isValid(1)).isTrue();
            SQLTransientConnectionException failure = catchThrowableOfType(
                    SQLTransientConnectionException.class,
                    () -> pool.getConnection().close());
            assertThat(Failures.Rule.SAFE.judge(failure)).isEqualTo(NOT_EXECUTED);
        }
    }

    @Test
    void a_violated_constraint_and_a_wrong_statement_are_answers() throws SQLException {
        try (Connection connection = connect()) {
            assertThat(meaningOf(() -> execute(connection, "INSERT INTO safe_payments VALUES (1, 1)")))
                    .isEmpty();
            assertThat(meaningOf(() -> execute(connection, "INSRT"))).isEmpty();
        }
    }

    @Test
    void part_of_a_batch_may_have_been_executed() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO safe_payments VALUES (1, 1)");
            BatchUpdateException failure = catchThrowableOfType(BatchUpdateException.class, statement::executeBatch);
            assertThat(Failures.Rule.SAFE.judge(failure)).isEqualTo(UNKNOWN);
        }
    }

    @Test
    void a_transaction_that_the_database_rolled_back_had_no_effect() throws SQLException {
        try (Connection first = serializable();
                Connection second = serializable()) {
            execute(first, "UPDATE safe_payments SET amount = (SELECT sum(amount) FROM safe_payments) WHERE id = 1");
            execute(second, "UPDATE safe_payments SET amount = (SELECT sum(amount) FROM safe_payments) WHERE id = 2");
            first.commit();
            assertThat(meaningOf(second::commit)).isEqualTo(NOT_EXECUTED);
        }
    }

    private static Connection serializable() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        return connection;
    }

    @Test
    void a_commit_on_a_lost_connection_proves_nothing() throws SQLException {
        try (Connection connection = connect();
                Connection other = connect()) {
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO safe_payments VALUES (3, 300)");
            execute(
                    other,
                    "SELECT pg_terminate_backend("
                            + connection
                                    .unwrap(org.postgresql.PGConnection.class)
                                    .getBackendPID() + ", 10000)");
            assertThat(meaningOf(connection::commit)).isEqualTo(UNKNOWN);
        }
    }

    @Test
    void a_statement_that_took_too_long_proves_nothing() throws SQLException {
        try (Connection connection = connect()) {
            execute(connection, "SET statement_timeout = 100");
            assertThat(meaningOf(() -> execute(connection, "SELECT pg_sleep(60)")))
                    .isEqualTo(UNKNOWN);
        }
    }
}
