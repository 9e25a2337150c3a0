package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.testing.BreakingDataSource;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("PostgreSQL: faults are reported with their cause, quickly, and without stored data")
@Timeout(300)
class PostgresFaultsTest {

    private static final String SECRET_KEY = "4111-1111-1111-1111";

    private String uri;

    @BeforeEach
    void newDatabase() throws SQLException {
        uri = PostgresServer.shared().newDatabase();
    }

    private StoreUri.Postgresql parsed() {
        return (StoreUri.Postgresql) StoreUri.parse(uri);
    }

    @Test
    void a_claim_whose_answer_was_lost_with_the_connection_gets_the_lease_that_it_was_granted() {
        try (HikariDataSource pool = PostgresPool.open(parsed().server())) {
            new PostgresStore(pool).close();
            BreakingDataSource breaking = new BreakingDataSource(pool);
            PostgresStore store = new PostgresStore(breaking.dataSource());

            breaking.loseNextAnswer();
            ClaimAnswer.Granted granted = (ClaimAnswer.Granted) await(store.claim(request("k")));

            assertThat(breaking.lost()).isEqualTo(1);
            assertThat(granted.attempts()).isEqualTo(1);
            assertThat(await(store.find(id("k"))).orElseThrow().lease()).isEqualTo(granted.lease());
        }
    }

    @Test
    void a_settlement_whose_answer_was_lost_is_reported_as_a_fault_and_not_repeated() {
        try (HikariDataSource pool = PostgresPool.open(parsed().server())) {
            BreakingDataSource breaking = new BreakingDataSource(pool);
            PostgresStore store = new PostgresStore(breaking.dataSource());
            Lease lease = ((ClaimAnswer.Granted) await(store.claim(request("k")))).lease();

            breaking.loseNextAnswer();
            assertThatThrownBy(() -> await(store.settle(lease, completed("done"), RETENTION)))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("failed to settle");
            assertThat(await(store.settle(lease, completed("done"), RETENTION)))
                    .isInstanceOfSatisfying(
                            SettleAnswer.Refused.class,
                            refused -> assertThat(refused.current()).isPresent());
        }
    }

    @Test
    void taking_records_is_not_repeated_when_the_answer_was_lost() {
        try (HikariDataSource pool = PostgresPool.open(parsed().server())) {
            BreakingDataSource breaking = new BreakingDataSource(pool);
            PostgresStore store = new PostgresStore(breaking.dataSource());
            Lease lease = ((ClaimAnswer.Granted) await(store.claim(request("k")))).lease();
            await(store.settle(lease, new Outcome.Unknown("timeout"), RETENTION));

            breaking.loseNextAnswer();
            assertThatThrownBy(() -> store.due("create-payment", 10, Duration.ofHours(1)))
                    .isInstanceOf(StoreException.class);
            assertThat(await(store.find(id("k"))).orElseThrow().reconciling())
                    .satisfies(search -> assertThat(search.tries()).isEqualTo(1));
            breaking.loseNextAnswer();
            assertThatThrownBy(() -> store.sweep(10)).isInstanceOf(StoreException.class);
            assertThat(breaking.lost()).isEqualTo(2);
        }
    }

    @Test
    void connections_that_the_server_ended_are_replaced_without_the_caller_noticing() throws SQLException {
        try (PostgresStore store = (PostgresStore) Stores.open(uri)) {
            await(store.claim(request("warm")));
            PostgresServer.execute(
                    uri,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
            assertThat(await(store.find(id("k")))).isPresent();
        }
    }

    @Test
    void a_pool_with_no_free_connection_is_a_fault_after_its_time_limit() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(PostgresServer.jdbcUrl(uri));
        config.setUsername("postgres");
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(Duration.ofMillis(250).toMillis());
        try (HikariDataSource tiny = new HikariDataSource(config)) {
            PostgresStore store = new PostgresStore(tiny);
            try (Connection held = tiny.getConnection()) {
                assertThat(held.isValid(1)).isTrue();
                assertThatThrownBy(() -> await(store.claim(request("k"))))
                        .hasCauseInstanceOf(StoreException.class)
                        .hasMessageContaining("no connection to PostgreSQL became free within 250 ms")
                        .hasMessageContaining("the pool has 1 of 1 open, 1 in use")
                        .hasMessageContaining("raise poolSize, or find what holds them");
            }
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    void a_server_that_is_not_there_is_a_fault_at_once() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertThatThrownBy(() -> Stores.open("postgresql://u:secret@localhost:" + port + "/db"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no connection to PostgreSQL: it cannot be reached")
                .hasMessageContaining("check that it runs")
                .satisfies(fault -> assertThat(everythingSaidBy(fault)).doesNotContain("secret"));
    }

    @Test
    void a_server_that_accepts_and_never_answers_is_a_fault_within_the_time_limit() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> Stores.open("postgresql://u@localhost:" + silent.getLocalPort() + "/db"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("no connection to PostgreSQL");
        }
    }

    @Test
    void a_reason_that_the_database_cannot_hold_does_not_stop_a_settlement() {
        try (PostgresStore store = (PostgresStore) Stores.open(uri)) {
            Lease lease = ((ClaimAnswer.Granted) await(store.claim(request("k")))).lease();
            await(store.settle(lease, new Outcome.Unknown("read\0timeout"), RETENTION));
            assertThat(await(store.find(id("k"))).orElseThrow().reason()).isEqualTo("readtimeout");
        }
    }

    @Test
    void a_negative_limit_is_refused() {
        try (PostgresStore store = (PostgresStore) Stores.open(uri)) {
            assertThatThrownBy(() -> store.prune(-1, Expiry.DELETE)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.sweep(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThat(store.prune(0, Expiry.DELETE)).isZero();
            assertThat(store.sweep(0)).isEmpty();
        }
    }

    @Test
    void a_closed_store_says_so() {
        PostgresStore store = (PostgresStore) Stores.open(uri);
        store.close();
        assertThatThrownBy(() -> await(store.claim(request("k"))))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("the store is closed");
    }

    @Test
    void a_wrong_database_is_named_as_the_problem() {
        assertThatThrownBy(() -> Stores.open(uri + "_absent"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no such database");
    }

    @Test
    void a_lost_table_is_named_as_the_problem() throws SQLException {
        try (PostgresStore store = (PostgresStore) Stores.open(uri)) {
            PostgresServer.execute(uri, "DROP TABLE semel_record CASCADE");
            assertThatThrownBy(() -> await(store.claim(request("k"))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("`semel schema postgresql`");
        }
    }

    @Test
    void the_stores_own_connections_have_a_statement_timeout() throws SQLException {
        try (HikariDataSource pool = PostgresPool.open(parsed().server());
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("SHOW statement_timeout")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("10s");
        }
    }

    @Test
    void a_row_that_stays_locked_is_a_fault_within_the_statement_timeout() throws SQLException {
        StoreUri.Postgresql impatient =
                (StoreUri.Postgresql) StoreUri.parse(uri + "?options=-c%20statement_timeout=250");
        try (HikariDataSource pool = impatient.dataSource();
                Connection other = pool.getConnection();
                Statement lock = other.createStatement()) {
            PostgresStore store = new PostgresStore(pool);
            Lease lease = ((ClaimAnswer.Granted) await(store.claim(request("k")))).lease();
            other.setAutoCommit(false);
            lock.execute("SELECT FROM semel_record FOR UPDATE");
            assertThatThrownBy(() -> await(store.settle(lease, completed("done"), RETENTION)))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("statement_timeout");
            other.rollback();
            assertThat(await(store.settle(lease, completed("done"), RETENTION)))
                    .isInstanceOf(SettleAnswer.Settled.class);
        }
    }

    @Test
    void a_fault_that_quotes_the_row_is_reported_without_it() throws SQLException {
        try (PostgresStore store = (PostgresStore) Stores.open(uri)) {
            PostgresServer.execute(uri, """
                    CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
                        $$ BEGIN RAISE EXCEPTION 'no %', NEW.key; END $$;
                    CREATE TRIGGER tell BEFORE INSERT ON semel_record FOR EACH ROW EXECUTE FUNCTION tell();
                    """);
            assertThatThrownBy(() -> await(store.claim(request(SECRET_KEY))))
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("SQLSTATE P0001")
                    .satisfies(fault -> assertThat(everythingSaidBy(fault)).doesNotContain(SECRET_KEY));
        }
    }

    private static String everythingSaidBy(Throwable fault) {
        StringWriter text = new StringWriter();
        fault.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
