package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.server.gateway.config.LimitsConfig;
import dev.semel.testsupport.http.Wire;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over real sockets. What has to end soon has a short limit; all other limits are long. */
@DisplayName("A client")
class ClientLimitsTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = TestGateway.LONG;

    private final LedgerService service = new LedgerService();

    @AfterEach
    void close() {
        service.close();
    }

    private static LimitsConfig limits(Duration head, Duration idle, Duration stalled) {
        LimitsConfig usual = LimitsConfig.DEFAULT;
        return new LimitsConfig(
                usual.headers(), usual.requestLine(), usual.connections(), usual.requests(), head, idle, stalled);
    }

    private static LimitsConfig counts(int connections, int requests) {
        LimitsConfig usual = LimitsConfig.DEFAULT;
        return new LimitsConfig(usual.headers(), usual.requestLine(), connections, requests, LONG, LONG, LONG);
    }

    private static TestGateway gateway(String url, LimitsConfig limits) {
        return TestGateway.before(
                url, TestGateway.Settings.standard(), TestGateway.anyPort().limits(limits));
    }

    private static Socket open(TestGateway gateway, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
        socket.setSoTimeout(60_000);
        send(socket, text);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int b = socket.getInputStream().read();
            if (b < 0) {
                return text + "<closed>";
            }
            text.append((char) b);
        }
        return text.toString();
    }

    @Test
    void that_stops_in_the_middle_of_its_head_is_disconnected() throws IOException {
        try (TestGateway gateway = gateway(service.url(), limits(SHORT, LONG, LONG));
                Socket slow = open(gateway, "POST /payments HTTP/1.1\r\nHost: h\r\nX-")) {
            assertThat(rest(slow)).isEmpty();
            assertThat(service.connections).hasValue(0);
        }
    }

    /** It is never silent for long, so that no idle time would catch it. */
    @Test
    void that_sends_its_head_byte_by_byte_is_disconnected() throws Exception {
        try (TestGateway gateway = gateway(service.url(), limits(Duration.ofSeconds(1), LONG, LONG));
                Socket slow = open(gateway, "POST /payments HTTP/1.1\r\nHost: h\r\nX-Slow: ")) {
            slow.setSoTimeout(20);
            await().atMost(LONG).pollInterval(Duration.ofMillis(20)).until(() -> {
                try {
                    send(slow, "x");
                    return slow.getInputStream().read() < 0;
                } catch (SocketTimeoutException stillOpen) {
                    return false;
                } catch (IOException reset) {
                    return true;
                }
            });
            assertThat(service.connections).hasValue(0);
        }
    }

    @Test
    void that_opens_a_connection_of_http2_and_asks_nothing_is_disconnected() throws IOException {
        byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);
        try (TestGateway gateway = gateway(service.url(), limits(LONG, SHORT, LONG));
                Socket silent = open(gateway, "")) {
            silent.getOutputStream().write(preface);
            silent.getOutputStream().flush();
            assertThat(readOrReset(silent)).doesNotContain("HTTP/1.1");
        }
    }

    @Test
    void that_sends_no_head_counts_among_the_connections() throws IOException {
        try (TestGateway gateway = gateway(service.url(), counts(2, 100));
                Socket one = open(gateway, "");
                Socket two = open(gateway, "GET /");
                Socket over = open(gateway, "")) {
            assertThat(readOrReset(over)).isEmpty();
            assertThat(one.isConnected() && two.isConnected()).isTrue();
        }
    }

    @Test
    void that_connects_and_sends_nothing_is_disconnected() throws IOException {
        try (TestGateway gateway = gateway(service.url(), limits(SHORT, LONG, LONG));
                Socket silent = open(gateway, "")) {
            assertThat(rest(silent)).isEmpty();
        }
    }

    @Test
    void that_is_idle_between_two_requests_is_disconnected_and_one_that_waits_for_its_answer_is_not() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        service.work = request -> {
            go.await();
            return LedgerService.created("{}");
        };
        // When the idle one is closed, the deadline for heads has passed for both.
        try (TestGateway gateway =
                        gateway(service.url(), limits(Duration.ofSeconds(2), Duration.ofMillis(2500), LONG));
                Socket idle = open(gateway, "GET /idempotency/status HTTP/1.1\r\nHost: h\r\n\r\n");
                Socket waiting = open(gateway, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n")) {
            assertThat(rest(idle)).startsWith("HTTP/1.1 400");
            go.countDown();
            assertThat(head(waiting)).startsWith("HTTP/1.1 201");
        }
    }

    @Test
    void that_stops_in_the_middle_of_a_body_that_passes_through_gets_408() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        try (VertxService upload = new VertxService(request -> {
                    request.handler(bytes -> {});
                    request.exceptionHandler(cut -> ended.set(true));
                });
                TestGateway gateway = gateway(upload.url("http"), limits(LONG, LONG, SHORT));
                Socket client =
                        open(gateway, "POST /unprotected/x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nbegin")) {
            assertThat(rest(client)).startsWith("HTTP/1.1 408").contains("gateway_request_too_slow");
            await().atMost(LONG).untilTrue(ended);
        }
    }

    /** The service is slow here, not the client: its bytes wait in the gateway and in sockets. */
    @Test
    void whose_service_is_slow_to_take_a_body_is_waited_for() throws Exception {
        CountDownLatch stalled = new CountDownLatch(1);
        byte[] large = new byte[30_000_000];
        try (VertxService slow = new VertxService(request -> {
                    request.pause();
                    request.endHandler(end -> request.response().end("taken"));
                    request.handler(bytes -> {});
                    Vertx.currentContext().owner().setTimer(3000, later -> {
                        stalled.countDown();
                        request.resume();
                    });
                });
                TestGateway gateway = gateway(slow.url("http"), limits(LONG, LONG, Duration.ofSeconds(1)))) {
            Wire.Reply reply = new Wire.Request("POST", "/unprotected/x")
                    .body("application/octet-stream", large)
                    .send(gateway.port());
            assertThat(stalled.getCount()).isZero();
            assertThat(reply.text()).isEqualTo("taken");
        }
    }

    @Test
    void that_does_not_take_its_answer_is_disconnected_and_its_service_let_go() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        try (VertxService endless = new VertxService(request -> {
                    HttpServerResponse response = request.response().setChunked(true);
                    response.closeHandler(closed -> ended.set(true));
                    pump(response);
                    response.drainHandler(drained -> pump(response));
                });
                TestGateway gateway = gateway(endless.url("http"), limits(LONG, LONG, SHORT));
                Socket client = open(gateway, "GET /unprotected/x HTTP/1.1\r\nHost: h\r\n\r\n")) {
            await().atMost(LONG).untilTrue(ended);
            assertThat(client.isClosed()).isFalse();
        }
    }

    private static void pump(HttpServerResponse response) {
        while (!response.closed() && !response.writeQueueFull()) {
            response.write(Buffer.buffer(new byte[64_000]));
        }
    }

    @Test
    void beyond_the_most_connections_is_disconnected_until_another_one_leaves() throws IOException {
        String probe = "GET /idempotency/status HTTP/1.1\r\nHost: h\r\n\r\n";
        try (TestGateway gateway = gateway(service.url(), counts(3, 100))) {
            List<Socket> held = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Socket socket = open(gateway, probe);
                held.add(socket);
                assertThat(head(socket)).startsWith("HTTP/1.1 400");
            }
            try (Socket over = open(gateway, probe)) {
                assertThat(readOrReset(over)).isEmpty();
            }
            held.remove(0).close();
            await().atMost(LONG).until(() -> {
                try (Socket next = open(gateway, probe)) {
                    return !readOne(next).isEmpty();
                }
            });
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    private static String readOrReset(Socket socket) {
        try {
            return rest(socket);
        } catch (SocketTimeoutException stillOpen) {
            throw new AssertionError("the connection was not closed", stillOpen);
        } catch (IOException reset) {
            return "";
        }
    }

    private static String readOne(Socket socket) {
        try {
            int b = socket.getInputStream().read();
            return b < 0 ? "" : String.valueOf((char) b);
        } catch (IOException reset) {
            return "";
        }
    }

    /** The place of a request is free when its execution is over, not when its client leaves. */
    @Test
    void beyond_the_most_requests_gets_503_until_an_execution_ends_and_nothing_is_claimed() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        service.work = request -> {
            go.await();
            return LedgerService.created("{}");
        };
        try (TestGateway gateway = gateway(service.url(), counts(100, 2))) {
            for (int i = 0; i < 2; i++) {
                int number = i;
                try (Socket gone = gateway.post("key-" + i).open(gateway.port())) {
                    await().atMost(LONG).until(() -> service.executions("key-" + number) == 1);
                    gone.setSoLinger(true, 0);
                }
            }
            Wire.Reply refused = gateway.pay("k");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text()).contains("gateway_overloaded");
            assertThat(refused.first("Retry-After")).contains("1");
            assertThat(gateway.state("k")).isNull();
            go.countDown();
            await().atMost(LONG).until(() -> gateway.pay("k").status() == 201);
            assertThat(service.executions("k")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Long: %s", "Cookie: %s"})
    void whose_head_is_too_long_gets_431(String line) throws IOException {
        try (TestGateway gateway = gateway(service.url(), LimitsConfig.DEFAULT);
                Socket client = open(
                        gateway,
                        "POST /payments HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k\r\n"
                                + line.formatted("x".repeat(40_000)) + "\r\n\r\n")) {
            assertThat(head(client)).startsWith("HTTP/1.1 431");
            assertThat(service.executions()).isZero();
        }
    }

    @Test
    void whose_request_line_is_too_long_gets_414() throws IOException {
        try (TestGateway gateway = gateway(service.url(), LimitsConfig.DEFAULT);
                Socket client = open(gateway, "GET /" + "x".repeat(10_000) + " HTTP/1.1\r\nHost: h\r\n\r\n")) {
            assertThat(head(client)).contains(" 414 ");
        }
    }
}
