package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.engine.Store;
import dev.semel.jdbc.JdbcSchema;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The command line")
class SemelCliTest {

    @TempDir
    Path directory;

    private String uri() {
        return "sqlite:" + directory.resolve("semel.db");
    }

    @Test
    void prints_its_version_and_help() {
        assertThat(Invocation.of("--version").out()).matches("semel \\d+\\.\\d+\\.\\d+\\S*\\R");
        assertThat(Invocation.of("prune", "--version").out()).startsWith("semel ");
        Invocation help = Invocation.of("--help");
        assertThat(help.status()).isZero();
        assertThat(help.out()).contains("schema", "prune", "doctor", "keys", "unknown");
        assertThat(Invocation.of("keys", "show", "--help").out()).contains("SCOPE", "KEY", "--store");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--listen", "--admin"})
    void names_the_address_that_the_gateway_cannot_listen_on(String option) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String used = "127.0.0.1:" + other.getLocalPort();
            String free = "127.0.0.1:0";

            Invocation refused = Invocation.of(
                    "gateway",
                    "--upstream=http://127.0.0.1:9",
                    "--scope=shared",
                    "--store=memory:",
                    "--listen=" + (option.equals("--listen") ? used : free),
                    "--admin=" + (option.equals("--admin") ? used : free));

            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.err())
                    .startsWith("semel: cannot listen on " + used + " (")
                    .contains("choose another address with " + option);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "dance",
                "--colour",
                "schema",
                "schema oracle",
                "dance --help",
                "keys dance --help",
                "prune extra --help",
                "schema sqlite --colour",
                "prune",
                "prune --store paper:napkin",
                "prune --store memory:",
                "prune --store sqlite:x.db --batch 0",
                "prune --store sqlite:x.db --batch many",
                "keys",
                "unknown",
                "unknown list --colour",
                "keys show --store sqlite:x.db acme",
                "doctor --store"
            })
    void reports_a_wrong_command_line_with_one_line_and_a_hint(String line) {
        Invocation wrong = Invocation.of(line.isEmpty() ? new String[0] : line.split(" "));

        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.out()).isEmpty();
        assertThat(wrong.err()).startsWith("semel: ").hasLineCount(2).contains("--help'");
    }

    @Test
    void prints_the_table_of_dynamodb_and_the_policy() {
        assertThat(Invocation.of("schema", "dynamodb").out())
                .contains("aws dynamodb create-table", "semel-open", "AttributeName=ttl")
                .contains("\"Action\": \"dynamodb:Query\"", "dynamodb:PutItem");
    }

    @Test
    void prints_the_table_of_cassandra_and_the_permissions() {
        assertThat(Invocation.of("schema", "cassandra").out())
                .contains("CREATE KEYSPACE", "NetworkTopologyStrategy", "CREATE TABLE", "USING 'sai'")
                .contains("GRANT MODIFY ON KEYSPACE semel");
    }

    @Test
    void says_that_cassandra_cannot_be_reached() {
        Invocation doctor = Invocation.of("doctor", "cassandra://alice:secret@127.0.0.1:1/semel?dc=datacenter1");
        assertThat(doctor.err())
                .contains("Cassandra cannot be reached at cassandra://127.0.0.1:1/semel")
                .doesNotContain("secret")
                .hasLineCount(1);
    }

    @Test
    void says_that_dynamodb_cannot_be_reached() {
        Invocation doctor = Invocation.of("doctor", "dynamodb://semel?endpoint=http://127.0.0.1:1&timeoutMillis=500");

        assertThat(doctor.status()).isEqualTo(3);
        assertThat(doctor.err()).contains("DynamoDB gave no clear answer").hasLineCount(1);
    }

    @Test
    void names_the_unknown_argument() {
        assertThat(Invocation.of("doctor", "--store", "sqlite:a", "sqlite:b").err())
                .startsWith("semel: the store is given twice");
        assertThat(Invocation.of("dance").err()).startsWith("semel: unknown command 'dance'; the commands are");
        assertThat(Invocation.of("dance", "--help").err())
                .startsWith("semel: unknown command 'dance'; the commands are")
                .contains("prune", "doctor", "keys");
        assertThat(Invocation.of("schema", "oracle").err())
                .startsWith(
                        "semel: no schema for 'oracle': use postgresql, mysql, mariadb, sqlite, redis, dynamodb or cassandra");
        assertThat(Invocation.of("schema", "--help").out())
                .contains("postgresql, mysql, mariadb, sqlite, redis, dynamodb or");
        assertThat(Invocation.of("prune", "--store", "jdbc:postgresql://u:secret@host/db")
                        .err())
                .contains("drop `jdbc:` and use postgresql://")
                .doesNotContain("secret");
        assertThat(Invocation.of("prune", "--store", "redis://host:99999").err())
                .contains("has a port that is not between 1 and 65535")
                .hasLineCount(2);
        assertThat(Invocation.of("prune", "--store", "dynamodb://semel?endpoint=http://db.example:8000")
                        .err())
                .contains("endpoint must be https://HOST:PORT, or http:// on loopback")
                .hasLineCount(2);
        assertThat(Invocation.of("--colour").err()).startsWith("semel: unknown option '--colour'");
        assertThat(Invocation.of("schema", "sqlite", "now").err()).startsWith("semel: unexpected argument 'now'");
        assertThat(Invocation.of("prune").err()).contains("--store", "SEMEL_STORE", "Try 'semel prune --help'.");
    }

    @Test
    void never_quotes_an_invalid_key() {
        Invocation wrong = Invocation.of("keys", "show", "--store", uri(), "acme", "k".repeat(300));

        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).contains("the key").doesNotContain("kkk");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mysql", "mariadb", "sqlite"})
    void prints_the_schema(String dialect) {
        Invocation schema = Invocation.of("schema", dialect);

        assertThat(schema.status()).isZero();
        assertThat(schema.out().strip()).isEqualTo(JdbcSchema.ddl(dialect).strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"prune", "keys show acme k1", "unknown list", "unknown show acme k1"})
    void does_not_create_a_missing_store(String command) {
        Invocation failed = Invocation.of((command + " --store " + uri()).split(" "));

        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.err()).startsWith("semel: sqlite:").hasLineCount(1);
        assertThat(directory.resolve("semel.db")).doesNotExist();
    }

    @Test
    void the_doctor_reports_a_missing_file_as_not_created_yet_and_does_not_create_it() {
        Invocation doctor = Invocation.of("doctor", "--store", "sqlite:" + directory.resolve("new/semel.db"));

        assertThat(doctor.status()).isZero();
        assertThat(doctor.out())
                .contains("  ok      the directory ", "  note    there is no file ", "it is not created yet")
                .doesNotContain("UNSAFE");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void the_doctor_refuses_a_directory() {
        Invocation doctor = Invocation.of("doctor", "--store", "sqlite:" + directory);

        assertThat(doctor.status()).isEqualTo(3);
        assertThat(doctor.err()).contains("this is no regular file").hasLineCount(1);
    }

    /** All at once: each tries for five seconds. */
    @Test
    void reports_an_unreachable_store_in_one_line() throws Exception {
        List<String> commands = List.of("prune", "doctor", "keys show acme k1", "unknown list", "unknown show acme k1");
        int unused;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused = socket.getLocalPort();
        }
        String server = "127.0.0.1:" + unused;
        ExecutorService threads = Executors.newFixedThreadPool(commands.size());
        try {
            List<Callable<Invocation>> runs = commands.stream()
                    .<Callable<Invocation>>map(command -> () ->
                            Invocation.of((command + " --store postgresql://u:secret@" + server + "/x").split(" ")))
                    .toList();
            List<Future<Invocation>> ended = threads.invokeAll(runs);

            for (int i = 0; i < commands.size(); i++) {
                Invocation failed = ended.get(i).get();
                assertThat(failed.status())
                        .as(commands.get(i))
                        .isEqualTo(commands.get(i).equals("doctor") ? 3 : 1);
                assertThat(failed.err())
                        .as(commands.get(i))
                        .startsWith("semel: postgresql://u@" + server)
                        .hasLineCount(1);
                assertThat(failed.out() + failed.err()).doesNotContain("secret").doesNotContain("at dev.semel");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void prunes_records_past_their_retention_in_batches() {
        try (Store store = SqliteStore.open(directory.resolve("semel.db"))) {
            for (int i = 0; i < 5; i++) {
                complete(store, "old-" + i, Duration.ofMillis(1));
            }
            complete(store, "young", Duration.ofDays(7));
            claim(store, "running");
        }

        assertThat(Invocation.of("prune", "--store", uri(), "--soft", "--batch", "2")
                        .out())
                .isEqualToIgnoringNewLines("Marked 5 records");
        assertThat(Invocation.of("keys", "show", "--store", uri(), "acme", "old-0")
                        .out())
                .containsPattern("state +expired");
        assertThat(Invocation.of("keys", "show", "--store", uri(), "acme", "young")
                        .status())
                .isZero();
        assertThat(Invocation.of("keys", "show", "--store", uri(), "acme", "running")
                        .status())
                .isZero();
    }

    @Test
    void deletes_by_default() {
        try (Store store = SqliteStore.open(directory.resolve("semel.db"))) {
            complete(store, "old", Duration.ofMillis(1));
        }

        assertThat(Invocation.of("prune", "--store", uri()).out()).isEqualToIgnoringNewLines("Deleted 1 record");
        assertThat(Invocation.of("prune", "--store", uri()).out()).isEqualToIgnoringNewLines("Deleted 0 records");
        Invocation gone = Invocation.of("keys", "show", "--store", uri(), "acme", "old");
        assertThat(gone.status()).isEqualTo(1);
        assertThat(gone.err()).hasLineCount(1).contains("no record");
    }

    @Test
    void shows_a_record_with_its_key_and_without_its_response() {
        try (Store store = SqliteStore.open(directory.resolve("semel.db"))) {
            complete(store, "order-42", Duration.ofDays(7));
        }

        Invocation shown = Invocation.of("keys", "show", "--store", uri(), "acme", "order-42");

        assertThat(shown.status()).isZero();
        assertThat(shown.out())
                .containsPattern("scope +acme")
                .containsPattern("(?m)^key +order-42$")
                .containsPattern("key in logs +" + Key.of("order-42").redacted())
                .containsPattern("operation +create-payment")
                .containsPattern("state +completed")
                .containsPattern("fence +\\d+")
                .containsPattern("attempts +1")
                .containsPattern("created +2\\d{3}-")
                .containsPattern("expires +2\\d{3}-")
                .containsPattern("response +12 bytes")
                .doesNotContain("hello");
    }

    @Test
    void shows_why_a_record_is_unknown() {
        try (Store store = SqliteStore.open(directory.resolve("semel.db"))) {
            Lease lease = claim(store, "k1");
            store.blocking().settle(lease, new Outcome.Unknown("timeout"), Duration.ofDays(1));
        }

        assertThat(Invocation.of("keys", "show", "--store", uri(), "acme", "k1").out())
                .containsPattern("state +unknown")
                .containsPattern("reason +timeout");
    }

    @Test
    void finds_no_fault_with_a_new_store() {
        SqliteStore.open(directory.resolve("semel.db")).close();

        Invocation doctor = Invocation.of("doctor", "--store", uri());

        assertThat(doctor.status()).isZero();
        assertThat(doctor.out())
                .contains("the store starts", "No setting is unsafe.")
                .doesNotContain("UNSAFE");
    }

    @Test
    void recognizes_a_file_that_is_no_database_and_one_without_tables() throws IOException {
        Files.writeString(
                directory.resolve("semel.db"), "this is a letter, not a database, and long enough to be sure");
        Invocation letter = Invocation.of("doctor", "--store", uri());
        assertThat(letter.status()).isEqualTo(3);
        assertThat(letter.err()).startsWith("semel: " + uri()).hasLineCount(1);

        Files.write(directory.resolve("semel.db"), new byte[0]);
        Invocation empty = Invocation.of("doctor", "--store", uri());
        assertThat(empty.status()).isZero();
        assertThat(empty.out()).contains("the tables are not created yet").doesNotContain("UNSAFE");
    }

    private static Lease claim(Store store, String key) {
        ClaimAnswer answer = store.blocking()
                .claim(new ClaimRequest(
                        Identity.of("acme", key),
                        "create-payment",
                        new Fingerprint("v1:" + "0".repeat(64)),
                        Duration.ofSeconds(30),
                        false,
                        "holder-" + key.length()));
        return ((ClaimAnswer.Granted) answer).lease();
    }

    private static void complete(Store store, String key, Duration retention) {
        Response response = Response.of("hello, world".getBytes(StandardCharsets.UTF_8));
        store.blocking().settle(claim(store, key), new Outcome.Completed(response), retention);
    }
}
