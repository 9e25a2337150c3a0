package dev.semel.server.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.conformance.FlawedClient.Flaw;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The conformance server")
class ConformanceTest {

    private static final Path CLIENTS = Path.of("..", "examples", "clients");

    private final ConformanceServer server = start();

    @TempDir
    Path directory;

    private static ConformanceServer start() {
        try {
            return ConformanceServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Results resultsOf(Flaw flaw) throws Exception {
        new Suite(server.url()).run(new FlawedClient(flaw));
        return server.results();
    }

    @Test
    void passes_the_client_of_this_project() throws Exception {
        Results results = resultsOf(Flaw.NONE);
        assertThat(results.exitCode()).as(results.table()).isZero();
        assertThat(results.named("passed")).hasSize(ScenarioFile.scenarios().size());
    }

    @ParameterizedTest
    @CsvSource({"python3, semel_client.py", "node, semel-client.mjs"})
    void passes_the_clients_in_other_languages(String command, String file) throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command, CLIENTS.resolve(file).toString(), server.url())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        Results results = server.results();
        assertThat(results.named("passed"))
                .as(results.table() + Files.readString(output))
                .hasSize(ScenarioFile.scenarios().size());
        assertThat(process.exitValue()).isZero();
        assertThat(server.finished()).isDone();
    }

    /** Each flaw fails at least the scenarios that are there for it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NEW_KEY_FOR_EACH_ATTEMPT | lost-after-execution, cut-off-answer, slow-answer, in-progress, gateway-error",
                "ONE_KEY_FOR_ALL | first-answer, in-progress, mismatch",
                "NEVER_RETRIES | lost-before-execution, lost-after-execution, in-progress, store-unavailable, outcome-unknown",
                "RETRIES_EVERY_ERROR | mismatch, invalid-key, key-expired, failure-is-final, unprotected, response-not-retained",
                "DOES_NOT_WAIT | in-progress, store-unavailable, wait-as-a-date, wait-too-long, too-many-requests",
                "FORGETS_DOUBT | outcome-stays-unknown, lost-for-good, key-expired-after-lost-answer, access-denied-after-lost-answer",
                "CHANGES_THE_KEY_BY_ITSELF | safe-new-key, key-expired, key-expired-after-lost-answer, mismatch"
            })
    void fails_a_client_with_a_flaw(Flaw flaw, String scenarios) throws Exception {
        Results results = resultsOf(flaw);
        assertThat(results.exitCode()).isEqualTo(1);
        assertThat(results.named("failed")).as(results.table()).containsAll(Arrays.asList(scenarios.split(", ")));
    }

    @Test
    void only_advises_keys_that_carry_their_time() throws Exception {
        Results results = resultsOf(Flaw.RANDOM_KEYS);
        assertThat(results.named("advised")).containsExactly("key-carries-its-time");
        assertThat(results.named("failed")).isEmpty();
        assertThat(results.exitCode()).isZero();
    }

    @Test
    void says_which_scenarios_were_not_run() {
        Results results = server.results();
        assertThat(results.exitCode()).isEqualTo(3);
        assertThat(results.named("not_run")).hasSize(ScenarioFile.scenarios().size());
        assertThat(results.json()).contains("\"conforms\": false").contains("\"verdict\": \"not_run\"");
        assertThat(results.table()).contains("0 passed, 0 failed, 0 advised, ").endsWith(" not run\n");
    }
}
