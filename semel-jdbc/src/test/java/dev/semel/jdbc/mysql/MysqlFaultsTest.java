package dev.semel.jdbc.mysql;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.testing.BreakingDataSource;
import dev.semel.jdbc.testing.Connections;
import dev.semel.jdbc.testing.Uris;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.MariadbServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("MariaDB: faults are reported with their cause, quickly, and without stored data")
@Timeout(120)
class MysqlFaultsTest {

    private static final String SECRET_KEY = "4111-1111-1111-1111";

    private String uri;

    @BeforeEach
    void newDatabase() throws SQLException {
        uri = MariadbServer.shared().newDatabase();
    }

    private MysqlStore open() {
        return (MysqlStore) Stores.open(uri);
    }

    private static Lease granted(MysqlStore store, String key) {
        return ((ClaimAnswer.Granted) await(store.claim(request(key)))).lease();
    }

    @Test
    void a_claim_whose_commit_answer_was_lost_gets_the_lease_that_it_was_granted() throws Exception {
        try (HikariDataSource pool = MysqlPool.open(Uris.mysql(uri).server())) {
            BreakingDataSource breaking = new BreakingDataSource(pool);
            MysqlStore store = new MysqlStore(breaking.dataSource());

            breaking.loseNextCommit();
            ClaimAnswer.Granted granted = (ClaimAnswer.Granted) await(store.claim(request("k")));

            assertThat(breaking.lost()).isEqualTo(1);
            assertThat(granted.attempts()).isEqualTo(1);
            assertThat(await(store.find(id("k"))).orElseThrow().lease()).isEqualTo(granted.lease());
            assertThat(store.history(id("k"))).extracting(AuditEntry::change).containsExactly(Change.GRANTED);
        }
    }

    @Test
    void other_verbs_whose_commit_answer_was_lost_are_faults_and_not_repeated() {
        try (HikariDataSource pool = MysqlPool.open(Uris.mysql(uri).server())) {
            BreakingDataSource breaking = new BreakingDataSource(pool);
            MysqlStore store = new MysqlStore(breaking.dataSource());
            Lease lease = granted(store, "k");

            breaking.loseNextCommit();
            assertThatThrownBy(() -> await(store.settle(lease, new Outcome.Unknown("timeout"), RETENTION)))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("failed to settle");
            assertThat(await(store.settle(lease, new Outcome.Unknown("timeout"), RETENTION)))
                    .isInstanceOf(SettleAnswer.Refused.class);

            breaking.loseNextCommit();
            assertThatThrownBy(() -> store.due("create-payment", 10, Duration.ofHours(1)))
                    .isInstanceOf(StoreException.class);
            assertThat(await(store.find(id("k"))).orElseThrow().reconciling())
                    .satisfies(search -> assertThat(search.tries()).isEqualTo(1));
            assertThat(breaking.lost()).isEqualTo(2);
        }
    }

    @Test
    void connections_that_the_server_ended_are_replaced_without_the_caller_noticing() throws SQLException {
        try (MysqlStore store = open()) {
            granted(store, "warm");
            try (HikariDataSource pool = Uris.mysql(uri + "?poolSize=1").dataSource();
                    Connection connection = pool.getConnection()) {
                String ended = MariadbServer.text(
                        connection,
                        "SELECT GROUP_CONCAT(CONCAT('KILL ', ID) SEPARATOR ';') FROM information_schema.PROCESSLIST"
                                + " WHERE DB = DATABASE() AND ID <> CONNECTION_ID()");
                for (String kill : ended.split(";")) {
                    MariadbServer.execute(connection, kill);
                }
            }
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
            assertThat(await(store.find(id("k")))).isPresent();
        }
    }

    @Test
    void a_response_larger_than_a_statement_may_be_fails_alone_with_advice() {
        try (MysqlStore store = open()) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                leases.add(granted(store, "key-" + i));
            }
            List<CompletionStage<SettleAnswer>> settling = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                byte[] response = new byte[i == 2 ? 20 << 20 : 10];
                settling.add(store.settle(leases.get(i), new Outcome.Completed(Response.of(response)), RETENTION));
            }
            for (int i = 0; i < 5; i++) {
                CompletionStage<SettleAnswer> each = settling.get(i);
                if (i == 2) {
                    assertThatThrownBy(() -> await(each))
                            .hasCauseInstanceOf(StoreException.class)
                            .hasMessageContaining("max_allowed_packet");
                } else {
                    assertThat(await(each)).isInstanceOf(SettleAnswer.Settled.class);
                }
            }
            assertThat(await(store.find(id("key-2"))).orElseThrow().state()).isEqualTo(State.IN_PROGRESS);
            assertThat(await(store.settle(leases.get(2), completed("smaller"), RETENTION)))
                    .isInstanceOf(SettleAnswer.Settled.class);
        }
    }

    @Test
    void a_name_that_does_not_fit_is_refused_and_not_cut() {
        try (MysqlStore store = open()) {
            ClaimRequest request = request("k");
            ClaimRequest longer = new ClaimRequest(
                    request.identity(), "o".repeat(1001), request.fingerprint(), request.lease(), false, "holder");
            assertThatThrownBy(() -> await(store.claim(longer)))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("at most 1000 bytes in the column operation");
            assertThat(await(store.find(request.identity()))).isEmpty();
        }
    }

    @Test
    void a_fault_that_quotes_the_row_is_reported_without_it() throws SQLException {
        try (MysqlStore store = open()) {
            MariadbServer.execute(
                    uri,
                    "CREATE TRIGGER tell BEFORE INSERT ON semel_audit FOR EACH ROW"
                            + " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = NEW.`key`");
            assertThatThrownBy(() -> await(store.claim(request(SECRET_KEY))))
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("error 1644")
                    .satisfies(fault -> assertThat(everythingSaidBy(fault)).doesNotContain(SECRET_KEY));
            assertThat(await(store.find(id(SECRET_KEY))))
                    .as("the place that was held")
                    .isEmpty();
        }
    }

    @Test
    void a_record_that_a_transaction_keeps_locked_is_busy_for_a_claim_and_a_fault_for_a_settlement()
            throws SQLException {
        try (MysqlStore store = open();
                HikariDataSource pool = Uris.mysql(uri).dataSource();
                Connection other = pool.getConnection()) {
            Lease lease = granted(store, "k");
            await(store.settle(lease, new Outcome.NotExecuted("declined"), RETENTION));
            other.setAutoCommit(false);
            MariadbServer.execute(other, "SELECT * FROM semel_record FOR UPDATE");
            assertThat(await(store.claim(request("k")))).isEqualTo(new ClaimAnswer.Busy(Duration.ZERO));
            assertThatThrownBy(() -> await(store.settle(lease, completed("done"), RETENTION)))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("kept the record locked");
            other.rollback();
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    void the_error_of_a_read_only_server_says_so_and_the_store_works_again_afterwards() throws SQLException {
        String database = uri.substring(uri.lastIndexOf('/') + 1);
        MariadbServer.execute(
                uri,
                "CREATE OR REPLACE USER writer@'127.0.0.1' IDENTIFIED BY 'writer'",
                "GRANT ALL ON " + database + ".* TO writer@'127.0.0.1'");
        try (MysqlStore store = (MysqlStore) Stores.open(uri.replace("semel:semel@", "writer:writer@"))) {
            granted(store, "before");
            MariadbServer.execute(uri, "SET GLOBAL read_only = 1");
            try {
                assertThatThrownBy(() -> await(store.claim(request("k"))))
                        .hasCauseInstanceOf(StoreException.class)
                        .hasMessageContaining("read-only");
                assertThat(await(store.claim(request("before")))).isInstanceOf(ClaimAnswer.Busy.class);
            } finally {
                MariadbServer.execute(uri, "SET GLOBAL read_only = 0");
            }
            granted(store, "k");
        }
    }

    @Test
    void a_lost_table_and_a_wrong_database_are_named_as_the_problem() throws SQLException {
        try (MysqlStore store = open()) {
            MariadbServer.execute(uri, "DROP TABLE semel_record");
            assertThatThrownBy(() -> await(store.claim(request("k"))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("`semel schema mysql`");
        }
        assertThatThrownBy(() -> Stores.open(uri + "_absent"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no such database");
        assertThatThrownBy(() -> Stores.open(uri.replace("semel:semel@", "semel:hunter2@")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("rejected user or password")
                .satisfies(fault -> assertThat(everythingSaidBy(fault)).doesNotContain("hunter2"));
    }

    @Test
    void a_server_that_is_not_there_is_a_fault_at_once() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertThatThrownBy(() -> Stores.open("mysql://u:secret@127.0.0.1:" + port + "/db"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no connection to MySQL: it cannot be reached")
                .satisfies(fault -> assertThat(everythingSaidBy(fault)).doesNotContain("secret"));
    }

    @Test
    void a_closed_store_says_so() {
        MysqlStore store = open();
        store.close();
        assertThatThrownBy(() -> await(store.claim(request("k"))))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void connections_that_do_not_commit_by_themselves_are_refused() throws SQLException {
        try (HikariDataSource pool = Uris.mysql(uri).dataSource()) {
            new MysqlStore(pool).close();
            MysqlStore store = new MysqlStore(Connections.eachOf(pool, connection -> connection.setAutoCommit(false)));
            assertThatThrownBy(() -> await(store.claim(request("k"))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("autocommit");
        }
    }

    private static String everythingSaidBy(Throwable fault) {
        StringWriter text = new StringWriter();
        fault.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
