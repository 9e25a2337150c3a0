package dev.semel.jdbc.mysql;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.StoreException;
import dev.semel.engine.NotCreatedException;
import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.testing.Uris;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.testsupport.servers.MariadbServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("MariaDB: what a store checks before it starts")
@Timeout(120)
class MysqlStartupTest {

    private String uri;

    @BeforeEach
    void newDatabase() throws SQLException {
        uri = MariadbServer.shared().newDatabase();
    }

    @Test
    void the_tables_are_created_once_and_found_again() {
        try (Store store = Stores.open(uri)) {
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
        try (Store store = Stores.open(uri.replace("mysql:", "mariadb:") + "?schemaMode=validate")) {
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Busy.class);
        }
    }

    @Test
    void several_processes_can_start_at_once_on_an_empty_database() throws Exception {
        int starters = 6;
        CyclicBarrier together = new CyclicBarrier(starters);
        ExecutorService threads = Executors.newFixedThreadPool(starters);
        try {
            List<Future<ClaimAnswer>> answers = new ArrayList<>();
            for (int i = 0; i < starters; i++) {
                answers.add(threads.submit(() -> {
                    together.await(1, TimeUnit.MINUTES);
                    try (Store store = Stores.open(uri + "?poolSize=1")) {
                        return await(store.claim(request("k")));
                    }
                }));
            }
            int granted = 0;
            for (Future<ClaimAnswer> answer : answers) {
                granted += answer.get(1, TimeUnit.MINUTES) instanceof ClaimAnswer.Granted ? 1 : 0;
            }
            assertThat(granted).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void validation_of_an_empty_database_says_that_nothing_is_created_yet_and_creates_nothing() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Stores.open(uri + "?schemaMode=validate"))
                    .isInstanceOf(NotCreatedException.class)
                    .hasMessageContaining("the tables are not created yet")
                    .hasMessageContaining("`semel schema mysql`");
        }
    }

    @Test
    void validation_of_half_a_schema_names_what_is_missing() throws SQLException {
        Stores.open(uri).close();
        MariadbServer.execute(uri, "DROP TABLE semel_audit");
        assertThatThrownBy(() -> Stores.open(uri + "?schemaMode=validate"))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(NotCreatedException.class)
                .hasMessageContaining("table semel_audit is missing");
    }

    @Test
    void the_error_for_a_user_who_may_not_create_the_tables_says_how_to_create_them_not_what_to_grant()
            throws SQLException {
        String database = uri.substring(uri.lastIndexOf('/') + 1);
        MariadbServer.execute(
                uri,
                "CREATE OR REPLACE USER clerk@'127.0.0.1' IDENTIFIED BY 'clerk'",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON " + database + ".* TO clerk@'127.0.0.1'");
        String clerk = uri.replace("semel:semel@", "clerk:clerk@");

        StoreException refused = catchThrowableOfType(StoreException.class, () -> Stores.open(clerk));

        assertThat(refused)
                .isInstanceOf(NotCreatedException.class)
                .hasMessageContaining("not created yet, and this user may not create them")
                .hasMessageContaining("run what `semel schema mysql` prints");
        MariadbServer.execute(uri, "REVOKE ALL ON " + database + ".* FROM clerk@'127.0.0.1'");
        Stores.open(uri).close();
        String message = refused.getMessage();
        MariadbServer.execute(uri, message.substring(message.indexOf("GRANT")).split(";"));
        try (Store store = Stores.open(clerk + "?schemaMode=validate")) {
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    void validation_names_every_difference() throws SQLException {
        Stores.open(uri).close();
        MariadbServer.execute(
                uri,
                "ALTER TABLE semel_record DROP CONSTRAINT semel_record_evidence, DROP COLUMN evidence_detail",
                "ALTER TABLE semel_record MODIFY attempts BIGINT NOT NULL",
                "ALTER TABLE semel_record MODIFY holder VARCHAR(200) NOT NULL",
                "ALTER TABLE semel_record DROP INDEX semel_record_unknown",
                "ALTER TABLE semel_record DROP PRIMARY KEY, ADD UNIQUE (scope, `key`)",
                "ALTER TABLE semel_audit MODIFY number BIGINT NOT NULL",
                "ALTER TABLE semel_audit ENGINE = Aria");
        assertThatThrownBy(() -> Stores.open(uri + "?schemaMode=validate"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("column semel_record.evidence_detail is missing")
                .hasMessageContaining("semel_record.attempts is bigint instead of int")
                .hasMessageContaining("semel_record.holder is varchar instead of varbinary(1000)")
                .hasMessageContaining("index semel_record_unknown of semel_record is missing")
                .hasMessageContaining("the primary key (scope, key) of semel_record is missing")
                .hasMessageContaining("another unique index")
                .hasMessageContaining("semel_audit.number must be AUTO_INCREMENT")
                .hasMessageContaining("table semel_audit is in Aria instead of InnoDB")
                .hasMessageContaining("`semel schema mysql`");
    }

    @Test
    void a_newer_schema_is_left_alone_also_when_tables_may_be_created() throws SQLException {
        Stores.open(uri).close();
        MariadbServer.execute(uri, "UPDATE semel_schema SET version = 99");
        assertThatThrownBy(() -> Stores.open(uri))
                .hasMessageContaining("semel_schema has version [99], this release needs 1");
    }

    @Test
    void the_error_for_a_user_without_privileges_names_them() throws SQLException {
        Stores.open(uri).close();
        String database = uri.substring(uri.lastIndexOf('/') + 1);
        MariadbServer.execute(
                uri,
                "CREATE OR REPLACE USER reader@'127.0.0.1' IDENTIFIED BY 'reader'",
                "GRANT SELECT ON " + database + ".* TO reader@'127.0.0.1'");
        assertThatThrownBy(() -> Stores.open(uri.replace("semel:semel@", "reader:reader@")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("grant it SELECT, INSERT, UPDATE and DELETE on semel_record");
        MariadbServer.execute(
                uri,
                "GRANT INSERT, UPDATE, DELETE ON " + database + ".semel_record TO reader@'127.0.0.1'",
                "GRANT INSERT, DELETE ON " + database + ".semel_audit TO reader@'127.0.0.1'");
        try (Store store = Stores.open(uri.replace("semel:semel@", "reader:reader@") + "?schemaMode=validate")) {
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    void every_table_and_column_is_commented() throws SQLException {
        Stores.open(uri).close();
        assertThat(MariadbServer.text(uri, """
                        SELECT COUNT(*) FROM (
                            SELECT column_comment AS comment FROM information_schema.columns
                            WHERE table_schema = DATABASE()
                            UNION ALL
                            SELECT table_comment FROM information_schema.tables WHERE table_schema = DATABASE()
                        ) AS described WHERE comment = ''
                        """)).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "innodb_flush_log_at_trx_commit = 2 | innodb_flush_log_at_trx_commit = 1 | innodb_flush_log_at_trx_commit = 2: commits are confirmed before",
                "innodb_flush_log_at_trx_commit = 0 | innodb_flush_log_at_trx_commit = 1 | Set innodb_flush_log_at_trx_commit = 1",
            })
    void a_server_that_may_lose_what_it_confirmed_is_refused_unless_accepted(
            String change, String back, String complaint) throws SQLException {
        MariadbServer.execute(uri, "SET GLOBAL " + change);
        try {
            assertThatThrownBy(() -> Stores.open(uri))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(complaint)
                    .hasMessageContaining("acceptUnsafeDurability=true");
            Stores.open(uri + "?acceptUnsafeDurability=true").close();
        } finally {
            MariadbServer.execute(uri, "SET GLOBAL " + back);
        }
    }

    @Test
    void servers_whose_fences_could_go_back_are_refused_and_so_is_one_that_only_reads() throws SQLException {
        try {
            MariadbServer.execute(uri, "SET GLOBAL auto_increment_increment = 3");
            assertThatThrownBy(() -> Stores.open(uri + "?acceptUnsafeDurability=true"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("auto_increment_increment = 3")
                    .hasMessageContaining("fences must only rise");
            MariadbServer.execute(uri, "SET GLOBAL auto_increment_increment = 1", "SET GLOBAL read_only = 1");
            assertThatThrownBy(() -> Stores.open(uri))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("connect to the primary");
        } finally {
            MariadbServer.execute(uri, "SET GLOBAL auto_increment_increment = 1", "SET GLOBAL read_only = 0");
        }
        assertThatThrownBy(() -> Stores.open(uri + "?sessionVariables=transaction_read_only%3D1"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("only read");
    }

    @Test
    void settings_of_the_start_that_lose_records_are_refused_unless_accepted(@TempDir Path directory)
            throws SQLException {
        try (MariadbServer unsafe =
                MariadbServer.start(directory, "--skip-innodb-doublewrite", "--log-bin=binlog", "--sync-binlog=0")) {
            String there = unsafe.newDatabase();
            assertThatThrownBy(() -> Stores.open(there))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("innodb_doublewrite = OFF: a page that a crash left half written");
            assertThat(settingsOf(there).unsafe())
                    .extracting(MysqlSettings.Unsafe::setting)
                    .containsExactly("innodb_doublewrite = OFF", "sync_binlog = 0");
            try (Store store = Stores.open(there + "?acceptUnsafeDurability=true")) {
                assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
            }
        }
    }

    private static MysqlSettings settingsOf(String uri) throws SQLException {
        try (var pool = Uris.mysql(uri).dataSource();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            return MysqlSettings.of(statement);
        }
    }
}
