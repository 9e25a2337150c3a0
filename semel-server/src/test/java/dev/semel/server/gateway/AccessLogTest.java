package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.server.gateway.config.AccessLogConfig;
import dev.semel.testsupport.http.Wire;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The access log")
class AccessLogTest {

    @TempDir
    Path directory;

    private final LedgerService service = new LedgerService();

    @AfterEach
    void close() {
        service.close();
    }

    private Path file() {
        return directory.resolve("access.log");
    }

    private TestGateway gateway() {
        return TestGateway.before(
                service.url(),
                TestGateway.Settings.standard(),
                TestGateway.anyPort().accessLog(new AccessLogConfig.ToFile(file())));
    }

    private List<JsonObject> lines(int count) {
        await().atMost(TestGateway.LONG).until(() -> read(file()).size() >= count);
        return read(file()).stream().map(JsonObject::new).toList();
    }

    /** Sends a request and waits for its line: the lines of two connections may come in any order. */
    private void logged(Runnable request) {
        int before = read(file()).size();
        request.run();
        lines(before + 1);
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void has_a_line_for_each_request_that_says_what_became_of_it() {
        try (TestGateway gateway = gateway()) {
            logged(() -> gateway.pay("k"));
            logged(() -> gateway.pay("k"));
            logged(() -> gateway.post("k").json("{\"amount\":999}").send(gateway.port()));
            logged(() -> new Wire.Request("POST", "/payments").json("{}").send(gateway.port()));
            logged(() -> new Wire.Request("GET", "/payments/7").send(gateway.port()));
            logged(() -> gateway.status("k"));
            service.work = request -> {
                service.cutConnections();
                throw new IOException("cut");
            };
            logged(() -> gateway.pay("lost"));
            logged(() -> gateway.pay("lost"));
            service.close();
            logged(() -> gateway.pay("down"));

            List<JsonObject> lines = lines(9);
            assertThat(lines)
                    .extracting(line -> line.getString("outcome") + " " + line.getInteger("status") + " "
                            + line.getString("code", ""))
                    .containsExactly(
                            "ran 201 ",
                            "replayed 201 ",
                            "refused 422 idempotency_key_reused_with_different_payload",
                            "refused 400 idempotency_key_missing",
                            "passed 201 ",
                            "status 201 ",
                            "unknown 409 idempotency_outcome_unknown",
                            "unknown 409 idempotency_outcome_unknown",
                            "refused 503 idempotency_not_executed");
            JsonObject ran = lines.get(0);
            assertThat(ran.getString("method")).isEqualTo("POST");
            assertThat(ran.getString("path")).isEqualTo("/payments");
            assertThat(ran.getString("route")).isEqualTo("pay");
            assertThat(ran.getString("upstream")).isEqualTo(service.url());
            assertThat(ran.getString("client")).isEqualTo("127.0.0.1");
            assertThat(ran.getString("protocol")).isEqualTo("http/1.1");
            assertThat(ran.getString("time")).matches("20[0-9-]+T[0-9:.]+Z");
            assertThat(ran.getLong("duration_us")).isPositive();
            assertThat(ran.getLong("bytes_in")).isEqualTo(14);
            assertThat(ran.getLong("bytes_out")).isEqualTo(13);
            assertThat(ran.getString("key"))
                    .matches("key#[0-9a-f]{8}")
                    .isEqualTo(lines.get(1).getString("key"));
            assertThat(ran.getString("scope")).matches("scope#[0-9a-f]{8}");
        }
    }

    @Test
    void holds_no_key_query_body_or_credential() throws IOException {
        try (TestGateway gateway = gateway()) {
            new Wire.Request("POST", "/payments;session=s3cret?token=s3cret")
                    .key("key-s3cret-0001")
                    .header("Authorization", "Bearer s3cret")
                    .header("Cookie", "s=s3cret")
                    .header("X-Request-Id", "not an id: s3cret")
                    .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                    .json("{\"card\":\"s3cret\"}")
                    .send(gateway.port());
            lines(1);
            try (Socket absolute = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
                absolute.getOutputStream()
                        .write("GET http://user:s3cret@h/x?s3cret HTTP/1.1\r\nHost: h\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                absolute.getInputStream().readAllBytes();
            }
            List<JsonObject> lines = lines(2);
            assertThat(Files.readString(file())).doesNotContain("s3cret");
            assertThat(lines.get(0).getString("path")).isEqualTo("/payments");
            assertThat(lines.get(0).getString("trace")).isEqualTo("0af7651916cd43dd8448eb211c80319c");
            assertThat(lines.get(0).containsKey("request_id")).isFalse();
            assertThat(lines.get(1).getString("outcome")).isEqualTo("refused");
            assertThat(lines.get(1).getString("code")).isEqualTo("gateway_request_malformed");
        }
    }

    @Test
    void says_of_no_client_in_http2_that_took_its_answer_that_it_left() throws Exception {
        try (TestGateway gateway = gateway()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/payments"))
                    .header("Idempotency-Key", "k")
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            for (int i = 1; i <= 3; i++) {
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .build()
                        .send(request, HttpResponse.BodyHandlers.ofString());
                lines(i);
            }

            assertThat(lines(3))
                    .extracting(line -> line.getString("protocol") + " " + line.getInteger("status") + " "
                            + line.getBoolean("client_left"))
                    .containsOnly("h2 201 null");
        }
    }

    @Test
    void says_that_a_client_left() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        service.work = request -> {
            arrived.countDown();
            answer.await();
            return LedgerService.created("{}");
        };
        try (TestGateway gateway = gateway()) {
            try (Socket client = gateway.post("k").open(gateway.port())) {
                arrived.await();
                client.setSoLinger(true, 0);
            }
            JsonObject line = lines(1).get(0);
            answer.countDown();
            assertThat(line.getBoolean("client_left")).isTrue();
            assertThat(line.getInteger("status")).isZero();
            assertThat(line.getString("outcome")).isEqualTo("ran");
        }
    }

    @Test
    void goes_on_in_a_new_file_when_the_old_one_was_moved() throws IOException {
        try (TestGateway gateway = gateway()) {
            gateway.pay("k");
            lines(1);
            Path moved = directory.resolve("access.log.1");
            Files.move(file(), moved);
            await().atMost(TestGateway.LONG).until(() -> Files.exists(file()));
            gateway.pay("k");
            assertThat(lines(1)).hasSize(1);
            assertThat(read(moved)).hasSize(1);
        }
    }

    @Test
    void has_every_line_when_the_gateway_has_ended() {
        try (TestGateway gateway = gateway()) {
            for (int i = 0; i < 50; i++) {
                gateway.pay("k");
            }
        }
        assertThat(read(file())).hasSize(50);
    }

    @Test
    void that_cannot_be_written_keeps_the_gateway_from_starting() {
        assertThatThrownBy(() -> TestGateway.before(
                        service.url(),
                        TestGateway.Settings.standard(),
                        TestGateway.anyPort().accessLog(AccessLogConfig.parse(directory + "/missing/access.log"))))
                .hasMessageContaining("cannot be written");
    }
}
