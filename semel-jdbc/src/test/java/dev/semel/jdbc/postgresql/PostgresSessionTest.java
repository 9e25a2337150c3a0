package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.batch.UndoneException;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("PostgreSQL: sessions with other defaults of a DBA")
@Timeout(300)
class PostgresSessionTest {

    private String uri;

    @BeforeEach
    void newDatabase() throws SQLException {
        uri = PostgresServer.shared().newDatabase();
    }

    private void setForAllSessions(String setting) throws SQLException {
        PostgresServer.execute(uri, "ALTER DATABASE " + uri.substring(uri.lastIndexOf('/') + 1) + " SET " + setting);
    }

    @Test
    @DisplayName("I8: a settlement that a stricter isolation level undid because of others is simply repeated")
    void a_settlement_that_was_undone_because_of_others_is_repeated() throws SQLException {
        setForAllSessions("default_transaction_isolation = 'repeatable read'");
        try (PostgresStore store = (PostgresStore) Stores.open(uri);
                var pool = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
                Connection other = pool.getConnection();
                Statement statement = other.createStatement()) {
            Lease lease = ((ClaimAnswer.Granted) await(store.claim(request("k")))).lease();
            other.setAutoCommit(false);
            statement.execute("UPDATE semel_record SET updated_at = clock_timestamp()");
            CompletableFuture<SettleAnswer> waiting = CompletableFuture.supplyAsync(() -> settledAtLast(store, lease));
            PostgresServer.awaitBlockedStatement(uri);
            other.commit();
            assertThat(waiting.join()).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        }
    }

    /** Repeats until no lease holds the record, as an engine does. */
    private static SettleAnswer settledAtLast(PostgresStore store, Lease lease) {
        while (true) {
            try {
                return await(store.settle(lease, completed("done"), RETENTION));
            } catch (CompletionException heldByAnother) {
                assertThat(heldByAnother).hasCauseInstanceOf(UndoneException.Held.class);
            }
        }
    }

    @Test
    void a_connection_in_a_transaction_of_the_application_is_refused_and_nothing_of_it_is_committed()
            throws SQLException {
        try (var pool = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
                Connection application = pool.getConnection();
                Statement statement = application.createStatement()) {
            PostgresStore store = new PostgresStore(alwaysTheSame(application));
            statement.execute("CREATE TABLE orders (id integer)");
            application.setAutoCommit(false);
            assertThat(await(store.claim(request("before")))).isInstanceOf(ClaimAnswer.Granted.class);
            assertThat(application.getAutoCommit()).as("left as it was found").isFalse();

            statement.execute("INSERT INTO orders VALUES (1)");
            assertThatThrownBy(() -> await(store.claim(request("within"))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("in a transaction of the application");
            application.rollback();
            try (ResultSet row = statement.executeQuery("SELECT count(*) FROM orders")) {
                row.next();
                assertThat(row.getInt(1)).isZero();
            }
        }
    }

    /** As a data source does that returns the connection of the calling thread's transaction. */
    private static DataSource alwaysTheSame(Connection connection) {
        Connection unclosed = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("close") ? null : method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> unclosed);
    }

    @Test
    void a_session_that_may_only_read_is_refused_at_the_start_and_not_at_the_first_claim() throws SQLException {
        Stores.open(uri).close();
        setForAllSessions("default_transaction_read_only = on");
        assertThatThrownBy(() -> Stores.open(uri))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("default_transaction_read_only");
    }
}
