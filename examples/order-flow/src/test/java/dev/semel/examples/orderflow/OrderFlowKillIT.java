package dev.semel.examples.orderflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.client.ClientIntent;
import dev.semel.client.IdempotentClient;
import dev.semel.client.Result;
import dev.semel.engine.SemelEngine;
import dev.semel.examples.orderflow.servers.MailService;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.messaging.kafka.KafkaPublisher;
import dev.semel.messaging.outbox.Outbox;
import dev.semel.testsupport.servers.KafkaBroker;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills the process at each stage of an order, starts the flow again, and lets the client repeat its request.
 */
@DisplayName("An order under kill -9")
class OrderFlowKillIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final TopicPartition PARTITION = new TopicPartition(OrderFlow.TOPIC, 0);
    private static final Pattern READY = Pattern.compile("Ready: (http://\\S+)");

    @TempDir
    static Path directory;

    private static PostgresServer postgres;
    private static KafkaBroker kafka;
    private static MailService mails;
    private static HikariDataSource database;
    private static Admin admin;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws IOException {
        postgres = PostgresServer.start();
        kafka = KafkaBroker.start(Map.of());
        kafka.createTopic(OrderFlow.TOPIC, 1);
        mails = MailService.start(0, directory.resolve("mails"));
        database = TestSettings.pool(postgres.uri());
        admin = Admin.create(Map.of("bootstrap.servers", kafka.servers()));
    }

    @AfterAll
    static void stop() throws IOException {
        admin.close();
        database.close();
        mails.close();
        kafka.close();
        postgres.close();
    }

    /** After a failed stage, no message is left that the next one would publish. */
    @BeforeEach
    void emptyOutbox() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            Outbox.createTable(connection);
            statement.execute("DELETE FROM semel_outbox");
        }
    }

    @ParameterizedTest(name = "when it was {0}")
    @EnumSource(Stage.class)
    void is_placed_announced_and_confirmed_once(Stage stage) throws Exception {
        String customer = stage.name().toLowerCase(Locale.ROOT) + "@example.com";
        long published = published();

        Optional<String> answered = orderAndKill(stage, customer);

        assertThat(answered.isPresent()).isEqualTo(stage.isAnswered());
        try (HikariDataSource pool = TestSettings.pool(postgres.uri());
                SemelEngine semel = SemelEngine.on(new PostgresStore(pool)).build();
                KafkaPublisher publisher = KafkaPublisher.to(Map.of("bootstrap.servers", kafka.servers()));
                OrderFlow again = new OrderFlow(
                        TestSettings.of(kafka.servers()), semel, pool, publisher, new MailClient(mails.uri()))) {
            Result.Answered<String> retry = retry(again.uri(), customer);
            assertThat(retry.status()).isEqualTo(201);
            answered.ifPresent(first -> assertThat(retry.body()).isEqualTo(first));

            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> count("SELECT count(*) FROM semel_outbox") == 0
                            && published() > published
                            && committed() == published());

            Result.Answered<String> last = retry(again.uri(), customer);
            assertThat(last.body()).isEqualTo(retry.body());
            assertThat(last.replayed()).isTrue();
        }
        assertThat(mails.sent().stream().filter(mail -> mail.contains(customer)))
                .as("mails")
                .hasSize(1);
        assertThat(count("SELECT count(*) FROM customer_order WHERE customer = ?", customer))
                .as("orders")
                .isEqualTo(1);
        assertThat(count("""
                SELECT count(*) FROM semel_record r JOIN customer_order o ON o.idempotency_key = r.key
                WHERE o.customer = ? AND r.operation = 'confirm-order' AND r.state = 'completed'""", customer)).as("handled messages").isEqualTo(1);
        assertThat(count("""
                SELECT count(*) FROM order_status_change JOIN customer_order USING (order_id)
                WHERE customer = ? AND to_status IN ('placed', 'confirmed')""", customer)).as("changes of status").isEqualTo(2);
        assertThat(published() - published)
                .as("published again only when the confirmation was lost")
                .isEqualTo(stage == Stage.PUBLISHED ? 2 : 1);
    }

    /** The answer, if the client received one before the process was killed. */
    private Optional<String> orderAndKill(Stage stage, String customer) throws Exception {
        Path out = directory.resolve(stage + ".out");
        Process victim = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoppingFlow.class.getName(),
                        stage.name(),
                        postgres.uri(),
                        kafka.servers(),
                        mails.uri().toString()))
                .redirectOutput(out.toFile())
                .redirectError(directory.resolve(stage + ".err").toFile())
                .start();
        CompletableFuture<HttpResponse<String>> sent;
        try {
            awaitOutput(victim, out, READY);
            Matcher ready = READY.matcher(Files.readString(out));
            assertThat(ready.find()).isTrue();
            sent = http.sendAsync(
                    order(URI.create(ready.group(1)), customer)
                            .header("Idempotency-Key", customer)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            awaitOutput(victim, out, Pattern.compile(StoppingFlow.STOPPED));
            if (stage.isAnswered()) {
                sent.join();
            }
            if (stage == Stage.PUBLISHED) {
                // A message that is published again is then delivered to a consumer that has handled it.
                await().atMost(PATIENCE).until(() -> committed() == published());
            }
            if (stage.compareTo(Stage.PUBLISHED) > 0) {
                // The consumer can be faster than the relay, which must not be killed before it has deleted the
                // message.
                await().atMost(PATIENCE).until(() -> count("SELECT count(*) FROM semel_outbox") == 0);
            }
        } finally {
            victim.destroyForcibly().waitFor();
        }
        return sent.handle((answer, gone) -> Optional.ofNullable(answer).map(HttpResponse::body))
                .join();
    }

    private static void awaitOutput(Process process, Path out, Pattern expected) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .failFast("it has ended", () -> !process.isAlive())
                .until(() -> expected.matcher(Files.readString(out)).find());
    }

    private static HttpRequest.Builder order(URI shop, String customer) {
        return HttpRequest.newBuilder(shop.resolve("/orders"))
                .header("X-Account", "acme")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("""
                        {"customer":"%s","item":"a lamp"}""".formatted(customer)));
    }

    /** Like a client that keeps its key. */
    private Result.Answered<String> retry(URI shop, String customer) {
        Result<String> result = IdempotentClient.over(http)
                .build()
                .send(
                        ClientIntent.of(order(shop, customer).build()).withKey(customer),
                        HttpResponse.BodyHandlers.ofString());
        return (Result.Answered<String>) result;
    }

    private static long published() throws Exception {
        return admin.listOffsets(Map.of(PARTITION, OffsetSpec.latest()))
                .partitionResult(PARTITION)
                .get()
                .offset();
    }

    private static long committed() throws Exception {
        OffsetAndMetadata offset = admin.listConsumerGroupOffsets("mailer")
                .partitionsToOffsetAndMetadata()
                .get()
                .get(PARTITION);
        return offset == null ? 0 : offset.offset();
    }

    private static long count(String sql, String... value) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(sql)) {
            if (value.length > 0) {
                select.setString(1, value[0]);
            }
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
