package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.StoreException;
import dev.semel.engine.NotCreatedException;
import dev.semel.engine.Store;
import dev.semel.jdbc.JdbcSchema;
import dev.semel.jdbc.Stores;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PostgreSQL: what a store checks before it starts")
class PostgresStartupTest {

    private String uri;

    @BeforeEach
    void newDatabase() throws SQLException {
        uri = PostgresServer.shared().newDatabase();
    }

    @Test
    void the_tables_are_created_once_and_found_again() {
        try (Store store = Stores.open(uri)) {
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
        try (Store store = Stores.open(uri + "?schemaMode=validate")) {
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Busy.class);
        }
    }

    @Test
    void several_processes_can_start_at_once_on_an_empty_database() throws Exception {
        int starters = 8;
        CyclicBarrier together = new CyclicBarrier(starters);
        ExecutorService threads = Executors.newFixedThreadPool(starters);
        try {
            List<Future<ClaimAnswer>> answers = new ArrayList<>();
            for (int i = 0; i < starters; i++) {
                answers.add(threads.submit(() -> {
                    together.await();
                    try (Store store = Stores.open(uri + "?poolSize=1")) {
                        return await(store.claim(request("k")));
                    }
                }));
            }
            int granted = 0;
            for (Future<ClaimAnswer> answer : answers) {
                granted += answer.get() instanceof ClaimAnswer.Granted ? 1 : 0;
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
                    .hasMessageContaining("`semel schema postgresql`")
                    .hasMessageNotContaining("GRANT");
        }
    }

    @Test
    void validation_of_half_a_schema_names_what_is_missing() throws SQLException {
        Stores.open(uri).close();
        PostgresServer.execute(uri, "DROP SEQUENCE semel_fence");
        assertThatThrownBy(() -> Stores.open(uri + "?schemaMode=validate"))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(NotCreatedException.class)
                .hasMessageContaining("sequence semel_fence is missing")
                .hasMessageContaining("`semel schema postgresql`");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "validate"})
    void the_error_for_a_user_who_may_not_create_the_tables_says_how_to_create_them_not_what_to_grant(String mode)
            throws SQLException {
        PostgresServer.execute(uri, """
                REVOKE CREATE ON SCHEMA public FROM PUBLIC;
                CREATE ROLE "Clerk-%s" LOGIN
                """.formatted(mode));
        String clerk = uri.replace("postgres@", "Clerk-" + mode + "@");

        StoreException refused =
                catchThrowableOfType(StoreException.class, () -> Stores.open(clerk + "?schemaMode=" + mode));

        assertThat(refused)
                .isInstanceOf(NotCreatedException.class)
                .hasMessageContaining("not created yet, and \"Clerk-" + mode + "\" may not create them")
                .hasMessageContaining("as the owner of the database, run what `semel schema postgresql` prints");
        String message = refused.getMessage();
        PostgresServer.execute(uri, JdbcSchema.ddl("postgresql"));
        PostgresServer.execute(uri, message.substring(message.indexOf("GRANT")));
        try (Store store = Stores.open(clerk + "?schemaMode=validate")) {
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ALTER TABLE semel_record DROP COLUMN evidence_detail | column semel_record.evidence_detail is missing",
                "ALTER TABLE semel_record ALTER COLUMN attempts TYPE bigint | semel_record.attempts is bigint instead of integer",
                "DROP VIEW semel_audit; ALTER TABLE semel_record ALTER COLUMN key TYPE text COLLATE \"default\" | semel_record.key is text COLLATE default",
                "ALTER TABLE semel_record DROP CONSTRAINT semel_record_pkey | the primary key (scope, key) of semel_record is missing",
                "ALTER TABLE semel_record DROP COLUMN doubt_since | column semel_record.doubt_since is missing",
                "DROP VIEW semel_audit | table semel_audit is missing",
                "DROP VIEW semel_audit; ALTER TABLE semel_record DROP COLUMN audit | column semel_record.audit is missing",
                "DROP FUNCTION semel_history(semel_record) CASCADE | function semel_history(semel_record) is missing",
                "DROP SEQUENCE semel_prune | sequence semel_prune is missing",
                "ALTER SEQUENCE semel_fence CACHE 10 | sequence semel_fence must have CACHE 1",
                "DROP TABLE semel_schema | table semel_schema is missing",
                "UPDATE semel_schema SET version = 99 | semel_schema has version [99], this release needs 1",
                "DELETE FROM semel_schema | semel_schema has version none, this release needs 1",
            })
    void validation_names_the_difference(String change, String complaint) throws SQLException {
        Stores.open(uri).close();
        PostgresServer.execute(uri, change);
        assertThatThrownBy(() -> Stores.open(uri + "?schemaMode=validate"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(complaint)
                .hasMessageContaining("`semel schema postgresql`");
    }

    @Test
    void a_newer_schema_is_left_alone_also_when_tables_may_be_created() throws SQLException {
        Stores.open(uri).close();
        PostgresServer.execute(uri, "UPDATE semel_schema SET version = 99");
        assertThatThrownBy(() -> Stores.open(uri)).hasMessageContaining("semel_schema has version [99]");
    }

    @Test
    void the_error_for_a_user_without_privileges_names_them() throws SQLException {
        Stores.open(uri).close();
        PostgresServer.execute(
                uri,
                "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN;"
                        + " GRANT SELECT ON semel_schema, semel_record TO reader");
        assertThatThrownBy(() -> Stores.open(uri.replace("postgres@", "reader@")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no INSERT privilege on semel_record")
                .hasMessageContaining("no SELECT privilege on semel_audit")
                .hasMessageContaining("no UPDATE privilege on semel_prune")
                .hasMessageContaining("no USAGE privilege on semel_fence");
    }

    @Test
    void the_error_for_a_user_who_may_not_execute_semel_history_says_so() throws SQLException {
        Stores.open(uri).close();
        PostgresServer.execute(uri, """
                DROP ROLE IF EXISTS writer;
                CREATE ROLE writer LOGIN;
                GRANT SELECT ON semel_schema, semel_audit TO writer;
                GRANT SELECT, INSERT, UPDATE, DELETE ON semel_record TO writer;
                GRANT USAGE ON semel_fence TO writer;
                GRANT USAGE, UPDATE ON semel_prune TO writer
                """);
        String writer = uri.replace("postgres@", "writer@");
        Stores.open(writer).close();
        PostgresServer.execute(uri, "REVOKE EXECUTE ON FUNCTION semel_history(semel_record) FROM PUBLIC");
        assertThatThrownBy(() -> Stores.open(writer))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("does not fit: this user has no EXECUTE privilege on semel_history. ");
        PostgresServer.execute(uri, "GRANT EXECUTE ON FUNCTION semel_history(semel_record) TO writer");
        Stores.open(writer).close();
    }

    @Test
    void every_table_column_and_sequence_is_commented() throws SQLException {
        PostgresHarness harness = new PostgresHarness();
        try (harness) {
            assertThat(harness.text("""
                            SELECT coalesce(string_agg(name, ', '), 'none') FROM (
                                SELECT c.relname || coalesce('.' || a.attname, '') AS name,
                                       col_description(c.oid, a.attnum) AS comment
                                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
                                WHERE c.relname LIKE 'semel%' AND c.relkind = 'r'
                                  AND c.relnamespace = current_schema()::regnamespace
                                UNION ALL
                                SELECT relname, obj_description(oid) FROM pg_class
                                WHERE relname LIKE 'semel%' AND relkind IN ('r', 'S')
                                  AND relnamespace = current_schema()::regnamespace
                            ) AS described WHERE comment IS NULL
                            """)).isEqualTo("none");
        }
    }

    @Test
    void a_session_that_does_not_wait_for_the_disk_is_refused_unless_accepted() throws SQLException {
        PostgresServer.execute(
                uri, "ALTER DATABASE " + uri.substring(uri.lastIndexOf('/') + 1) + " SET synchronous_commit = off");
        assertThatThrownBy(() -> Stores.open(uri))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("synchronous_commit = off")
                .hasMessageContaining("may have lost records")
                .hasMessageContaining("acceptUnsafeDurability=true");
        Stores.open(uri + "?acceptUnsafeDurability=true").close();
    }

    @ParameterizedTest
    @CsvSource({"fsync", "full_page_writes"})
    void a_server_that_may_lose_what_it_confirmed_is_refused_unless_accepted(String setting) {
        try (PostgresServer unsafe =
                PostgresServer.builder().setting(setting, "off").start()) {
            String unsafeUri = unsafe.uri();
            assertThatThrownBy(() -> Stores.open(unsafeUri))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(setting + " = off")
                    .hasMessageContaining("Turn " + setting + " on");
            Stores.open(unsafeUri + "?acceptUnsafeDurability=true").close();
        }
    }

    @Test
    void a_read_replica_is_refused() {
        try (PostgresServer replica = PostgresServer.builder()
                .prepare(PostgresStartupTest::makeStandby)
                .start()) {
            assertThatThrownBy(() -> Stores.open(replica.uri()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("read replica");
        }
    }

    private static void makeStandby(Path dataDirectory) {
        try {
            Files.createFile(dataDirectory.resolve("standby.signal"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_database_that_cannot_hold_every_key_is_refused() throws SQLException {
        PostgresServer.execute(
                uri, "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
        assertThatThrownBy(() -> Stores.open(uri.substring(0, uri.lastIndexOf('/')) + "/latin"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("encoding is LATIN1");
    }
}
