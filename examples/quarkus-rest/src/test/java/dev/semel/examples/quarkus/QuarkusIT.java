package dev.semel.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Payments on Quarkus")
class QuarkusIT {

    @TempDir
    private static Path folder;

    private static QuarkusProcess quarkus;

    private final String key = UUID.randomUUID().toString();
    private final int before = payments();

    @BeforeAll
    static void start() throws IOException {
        quarkus = new QuarkusProcess(folder);
    }

    @AfterAll
    static void stop() {
        quarkus.close();
    }

    private static int payments() {
        return Integer.parseInt(
                new Wire.Request("GET", "/payments").send(quarkus.port()).text());
    }

    private Wire.Request request(String path) {
        return new Wire.Request("POST", path).key(key).header("X-Tenant", "acme");
    }

    private Wire.Reply pay(String path) {
        return request(path).json("{\"amount\":100}").send(quarkus.port());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/payments", "/payments/later"})
    void are_made_once_and_replayed(String path) {
        Wire.Reply first = pay(path);
        Wire.Reply second = pay(path);

        assertThat(first.status()).isIn(200, 201);
        assertThat(first.replayed()).isFalse();
        assertThat(first.text()).startsWith("payment ");
        assertThat(second.replayed()).isTrue();
        assertThat(second.essence()).isEqualTo(first.essence());
        assertThat(payments()).isEqualTo(before + 1);
    }

    @Test
    void are_replayed_after_a_crash() throws IOException {
        Wire.Reply first = pay("/payments");
        quarkus.close();
        quarkus = new QuarkusProcess(folder);
        Wire.Reply second = pay("/payments");

        assertThat(second.replayed()).isTrue();
        assertThat(second.essence()).isEqualTo(first.essence());
        assertThat(payments()).isZero();
    }

    @Test
    void that_come_at_the_same_time_are_made_once() {
        List<CompletableFuture<Wire.Reply>> sent = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> pay("/payments")))
                .limit(16)
                .toList();

        assertThat(sent).extracting(reply -> reply.join().status()).isSubsetOf(201, 409);
        assertThat(pay("/payments").replayed()).isTrue();
        assertThat(payments()).isEqualTo(before + 1);
    }

    @Test
    void that_fail_after_the_effect_are_recorded() {
        Wire.Reply first = pay("/payments/failing");
        Wire.Reply second = pay("/payments/failing");

        assertThat(first.status()).isEqualTo(500);
        assertThat(second.replayed()).isTrue();
        assertThat(second.essence()).isEqualTo(first.essence());
        assertThat(payments()).isEqualTo(before + 1);
    }

    @Test
    void that_had_no_effect_may_be_repeated() {
        assertThat(pay("/payments/refused").status()).isGreaterThanOrEqualTo(500);
        assertThat(pay("/payments/refused").replayed()).isFalse();
        assertThat(payments()).isEqualTo(before + 2);
    }

    /** RESTEasy classic has no event loop for methods. */
    @Test
    void on_an_event_loop_are_refused() {
        Wire.Reply reply = request("/payments/on-event-loop").send(quarkus.port());

        assertThat(payments()).isEqualTo(reply.status() == 200 ? before + 1 : before);
        assertThat(reply.status()).isEqualTo(Files.exists(Path.of("src/main/java")) ? 500 : 200);
    }

    @Test
    void by_form_are_made_once() {
        Wire.Reply first = payByForm("amount=100");
        Wire.Reply second = payByForm("amount=100");

        assertThat(first.text()).endsWith(" of 100");
        assertThat(second.replayed()).isTrue();
        assertThat(second.essence()).isEqualTo(first.essence());
        assertThat(payByForm("amount=200").status()).isEqualTo(422);
        assertThat(payments()).isEqualTo(before + 1);
    }

    private Wire.Reply payByForm(String form) {
        return request("/payments/form")
                .body("application/x-www-form-urlencoded", form.getBytes(StandardCharsets.US_ASCII))
                .send(quarkus.port());
    }

    @Test
    void has_a_page_with_its_code() throws IOException {
        String source =
                Files.readString(Path.of("../quarkus-rest/src/main/java/dev/semel/examples/quarkus/Idempotency.java"));
        Matcher snippet = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../../docs/how-to/quarkus.md")));

        assertThat(snippet.find()).isTrue();
        assertThat(source).contains(snippet.group(1).strip());
    }

    @Test
    void whose_response_is_a_stream_are_refused() {
        assertThat(pay("/payments/streamed").status()).isEqualTo(500);
        assertThat(payments()).isEqualTo(before);
    }

    /** What was produced is not sent when its record is not confirmed: the table of records is away when it is written. */
    @Test
    void that_the_store_does_not_confirm_are_answered_as_unknown() throws Exception {
        CompletableFuture<Wire.Reply> waiting = CompletableFuture.supplyAsync(() -> pay("/payments/approved"));
        Awaitility.await().until(() -> payments() == before + 1);
        rename("semel_record", "semel_away");
        Wire.Reply reply;
        try {
            new Wire.Request("DELETE", "/payments/approved").send(quarkus.port());
            reply = waiting.join();
        } finally {
            rename("semel_away", "semel_record");
        }

        assertThat(reply.text()).contains("idempotency_outcome_unknown");
        assertThat(reply.status()).isEqualTo(409);
        assertThat(reply.all("Content-Type")).containsExactly("application/problem+json");
        assertThat(reply.all("Content-Length")).containsExactly(Integer.toString(reply.body().length));
    }

    private static void rename(String from, String to) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("semel.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE " + from + " RENAME TO " + to);
        }
    }

    @Test
    void need_a_key_that_means_one_payment() {
        pay("/payments");
        Wire.Reply other = request("/payments").json("{\"amount\":200}").send(quarkus.port());
        Wire.Reply keyless = new Wire.Request("POST", "/payments")
                .header("X-Tenant", "acme")
                .json("{}")
                .send(quarkus.port());

        assertThat(other.status()).isEqualTo(422);
        assertThat(other.text()).contains("idempotency_key_reused_with_different_payload");
        assertThat(keyless.status()).isEqualTo(400);
        assertThat(keyless.text()).contains("idempotency_key_missing");
        assertThat(payments()).isEqualTo(before + 1);
    }

    @Test
    void that_match_no_method_use_up_no_key() {
        Wire.Reply unsupported =
                request("/payments").body("text/csv", new byte[] {1}).send(quarkus.port());

        assertThat(unsupported.status()).isEqualTo(415);
        assertThat(pay("/payments").status()).isEqualTo(201);
    }
}
