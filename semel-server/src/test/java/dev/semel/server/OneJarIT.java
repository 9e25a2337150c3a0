package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.server.deploy.JarRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("semel.jar, alone in an empty directory,")
class OneJarIT {

    @TempDir
    Path directory;

    @BeforeEach
    void copyJar() throws IOException {
        JarRun.copyJarTo(directory);
    }

    private JarRun semel(String... arguments) throws Exception {
        return JarRun.of(directory, arguments);
    }

    @Test
    void lists_its_commands_and_writes_nothing_else() throws Exception {
        JarRun help = semel("--help");

        assertThat(help.status()).isZero();
        assertThat(help.out()).contains("unknown", "prune", "doctor", "schema");
        assertThat(help.err()).isEmpty();
        assertThat(semel("--version").out()).matches("semel \\d+\\.\\d+\\.\\d+\\S*\\R");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(directory.resolve("semel.jar"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dance", "dance --help", "--bogus", "unknown dance", "prune --bogus --help"})
    void exits_with_2_for_a_command_that_does_not_exist(String line) throws Exception {
        JarRun refused = semel(line.split(" "));

        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).startsWith("semel: unknown ");
    }

    @Test
    void checks_shows_settles_and_prunes_a_store_in_sqlite() throws Exception {
        Path file = directory.resolve("semel.db");
        String store = "sqlite:" + file;
        leaveUnknown(file);

        assertThat(semel("doctor", store).status()).isZero();
        assertThat(semel("unknown", "list", "--store", store).out()).contains("acme", "order-42", "charge");
        assertThat(semel("unknown", "list", "--fail-if-any", "--store", store).status())
                .isEqualTo(1);
        JarRun settled = semel(
                "unknown",
                "resolve",
                "--store",
                store,
                "--not-executed",
                "--reason",
                "no such charge",
                "--",
                "acme",
                "order-42");
        assertThat(settled.status()).as(settled.err()).isZero();
        assertThat(semel("keys", "show", "--store", store, "acme", "order-42").out())
                .contains("failed_retryable", "no such charge");
        assertThat(semel("prune", "--store", store).out()).isEqualToIgnoringNewLines("Deleted 0 records");
        try (SqliteStore opened = SqliteStore.open(file)) {
            assertThat(opened.blocking().find(Identity.of("acme", "order-42"))).isPresent();
        }
    }

    private static void leaveUnknown(Path file) {
        Intent intent = Intent.of(
                Operation.named("charge"),
                Identity.of("acme", "order-42").scope(),
                Identity.of("acme", "order-42").key(),
                Fingerprinter.sha256().ofText("100 EUR"));
        try (SemelEngine semel = SemelEngine.on(SqliteStore.open(file)).build()) {
            semel.execute(intent, Codec.text(), attempt -> {
                throw new OutcomeUnknownException("the bank did not answer");
            });
        } catch (OutcomeUnknownException expected) {
            // The record stays unknown.
        }
    }

    /** Drivers are found by a service file, of which libraries in one file share one. */
    @Test
    void holds_the_driver_of_every_store() throws Exception {
        assertThat(entry("META-INF/services/java.sql.Driver"))
                .contains("org.postgresql.Driver", "org.mariadb.jdbc.Driver", "org.sqlite.JDBC");
        JarRun unreachable = semel("doctor", "redis://127.0.0.1:1");
        assertThat(unreachable.status()).as(unreachable.err()).isEqualTo(3);
    }

    @Test
    void holds_every_licence_and_no_signature_of_a_library() throws IOException {
        assertThat(entry("META-INF/LICENSE")).contains("Apache License", "PostgreSQL Global Development Group");
        assertThat(entry("META-INF/LICENSE.txt")).contains("QOS.ch");
        assertThat(entry("META-INF/NOTICE")).contains("Semel");
        try (JarFile jar = new JarFile(directory.resolve("semel.jar").toFile())) {
            assertThat(jar.stream().map(JarEntry::getName))
                    .noneMatch(name -> name.matches("META-INF/.*\\.(SF|DSA|RSA)"))
                    .noneMatch(name -> name.startsWith("org/junit/"));
        }
    }

    private String entry(String name) throws IOException {
        try (JarFile jar = new JarFile(directory.resolve("semel.jar").toFile())) {
            return new String(jar.getInputStream(jar.getJarEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
