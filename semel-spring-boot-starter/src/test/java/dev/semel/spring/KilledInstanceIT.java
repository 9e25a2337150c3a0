package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.Verdict;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("Two instances, one of which is killed")
class KilledInstanceIT {

    private static final String READY = "ready at ";

    @EnableAutoConfiguration
    @Import(Charges.class)
    static class Shop {

        /** The evidence is the effect itself. */
        @Bean
        @ResolvesOutcomesOf("charge")
        OutcomeResolver charges(@Value("${semel.store}") String database) {
            return unknown -> KilledInstanceIT.charges(database).isEmpty()
                    ? new Verdict.DidNotHappen("there is no charge")
                    : new Verdict.Happened(
                            RecordedResponse.of(201, Headers.NONE, Body.of("charged".getBytes(StandardCharsets.UTF_8)))
                                    .toResponse(),
                            "the charge");
        }
    }

    @RestController
    static class Charges {

        private final String database;
        private final boolean hangs;

        Charges(@Value("${semel.store}") String database, @Value("${hangs:false}") boolean hangs) {
            this.database = database;
            this.hangs = hangs;
        }

        @PostMapping("/charges")
        @ResponseStatus(HttpStatus.CREATED)
        @Idempotent(operation = "charge")
        public String charge() throws InterruptedException {
            PostgresServer.execute(database, "INSERT INTO charge VALUES ('x')");
            if (hangs) {
                new CountDownLatch(1).await();
            }
            return "charged";
        }
    }

    /** The instance that is killed, in a process of its own. */
    static final class Instance {

        private Instance() {}

        public static void main(String[] properties) {
            System.out.println(
                    READY + RunningApplication.plain(Shop.class, properties).uri("/charges"));
        }
    }

    private static List<String> charges(String database) {
        return PostgresServer.query(database, "SELECT * FROM charge");
    }

    private static String[] properties(String database, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "semel.store=" + database,
                "semel.operations.charge.failures=reconcile",
                "semel.defaults.lease=1s",
                "semel.reconciler.every=200ms"));
        properties.addAll(List.of(more));
        return properties.toArray(String[]::new);
    }

    private static Process start(String... properties) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Instance.class.getName()));
        command.addAll(List.of(properties));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static URI addressOf(Process process) throws Exception {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(READY)) {
                return URI.create(line.substring(READY.length()));
            }
        }
        throw new AssertionError("the instance ended before it was ready");
    }

    @Test
    void charge_once_and_settle_what_the_killed_one_was_doing() throws Exception {
        String key = UUID.randomUUID().toString();
        String database = PostgresServer.shared().newDatabase();
        PostgresServer.execute(database, "CREATE TABLE charge (id text)");
        Process killed = start(properties(database, "hangs=true"));
        try (RunningApplication other = RunningApplication.plain(Shop.class, properties(database))) {
            CompletableFuture<HttpResponse<String>> lost = HttpClient.newHttpClient()
                    .sendAsync(
                            HttpRequest.newBuilder(addressOf(killed))
                                    .header("Content-Type", "application/json")
                                    .header("Idempotency-Key", key)
                                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            await().atMost(Duration.ofSeconds(30)).until(() -> charges(database).size() == 1);
            killed.destroyForcibly().waitFor();
            assertThat(lost).failsWithin(Duration.ofSeconds(30));

            await().atMost(Duration.ofSeconds(60)).until(() -> {
                HttpResponse<String> answer = other.post("/charges", key, "{}");
                assertThat(answer.statusCode()).as(answer.body()).isIn(409, 201);
                return answer.statusCode() == 201;
            });
            HttpResponse<String> settled = other.post("/charges", key, "{}");
            assertThat(settled.body()).isEqualTo("charged");
            assertThat(RunningApplication.isReplay(settled)).isTrue();
            assertThat(charges(database)).hasSize(1);
        } finally {
            killed.destroyForcibly();
        }
    }
}
