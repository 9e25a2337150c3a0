package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import dev.semel.testsupport.http.Wire;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A request that is not protected")
class PassThroughTest {

    private static TestGateway gateway(String url, String... trusted) {
        return TestGateway.of(GatewayConfig.of(
                UpstreamAddress.parse(url),
                new ScopeConfig.Shared(),
                JwtConfig.NONE,
                TrustedProxies.of(List.of(trusted))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "h2c"})
    void gets_events_as_they_come(String scheme) throws Exception {
        AtomicReference<HttpServerResponse> stream = new AtomicReference<>();
        try (VertxService service = new VertxService(request -> {
                    stream.set(request.response().setChunked(true).putHeader("Content-Type", "text/event-stream"));
                    stream.get().writeHead();
                });
                TestGateway gateway = gateway(service.url(scheme));
                Socket client = new Wire.Request("GET", "/events").open(gateway.port())) {
            InputStream in = client.getInputStream();
            assertThat(readUntil(in, "\r\n\r\n"))
                    .as("the head is there before the first event")
                    .startsWith("HTTP/1.1 200")
                    .contains("text/event-stream");
            stream.get().write("data: one\n\n");
            readUntil(in, "data: one\n\n");
            stream.get().end("data: two\n\n");
            assertThat(readUntil(in, "data: two\n\n")).contains("data: two");
        }
    }

    @Test
    void that_opens_a_web_socket_gets_it() throws Exception {
        try (VertxService service =
                        new VertxService(request -> request.response().end("plain"));
                TestGateway gateway = gateway(service.url("http"))) {
            CompletableFuture<String> echo = new CompletableFuture<>();
            WebSocket socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(URI.create("ws://127.0.0.1:" + gateway.port() + "/socket"), new WebSocket.Listener() {
                        @Override
                        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                            echo.complete(text.toString());
                            return null;
                        }
                    })
                    .get(60, TimeUnit.SECONDS);
            socket.sendText("hello", true).get(60, TimeUnit.SECONDS);
            assertThat(echo.get(60, TimeUnit.SECONDS)).isEqualTo("echo hello");
            socket.abort();
        }
    }

    /** In a tunnel of HTTP/2 a client could send requests that the gateway does not see. */
    @ParameterizedTest
    @ValueSource(strings = {"h2c", "H2C", "HTTP/2.0", "TLS/1.3", "websocket, h2c", "h2c\r\nUpgrade: websocket"})
    void gets_no_tunnel_but_for_a_web_socket(String protocol) throws Exception {
        try (LedgerService eager = new LedgerService();
                TestGateway gateway = gateway(eager.url())) {
            eager.work = request -> request.header("Upgrade").isEmpty()
                    ? LedgerService.created("{}")
                    : "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII);

            try (Socket client = new Wire.Request("GET", "/unprotected/x")
                    .header("Connection", "Upgrade")
                    .header("Upgrade", protocol)
                    .open(gateway.port())) {
                assertThat(readUntil(client.getInputStream(), "\r\n"))
                        .matches("HTTP/1\\.1 (201 Created|400 Bad Request)\r\n");
            }
            assertThat(eager.lastHead).doesNotContain("Upgrade");
        }
    }

    /** It may be of any length, so that the gateway must not collect it. */
    @Test
    void that_opens_a_web_socket_and_gets_another_answer_gets_it_as_it_comes() throws Exception {
        try (LedgerService service = new LedgerService();
                TestGateway gateway = gateway(service.url());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            service.keepsConnections = true;
            service.work = request -> "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\na\r\nnever ends\r\n"
                    .getBytes(StandardCharsets.US_ASCII);
            client.setSoTimeout(60_000);
            client.getOutputStream()
                    .write(("GET /unprotected/x HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(readUntil(client.getInputStream(), "never ends")).startsWith("HTTP/1.1 403 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "h2c"})
    void has_a_body_of_any_length_in_both_directions(String scheme) throws Exception {
        byte[] large = new byte[20_000_000];
        AtomicLong received = new AtomicLong();
        try (VertxService service = new VertxService(request -> {
                    request.handler(bytes -> received.addAndGet(bytes.length()));
                    request.endHandler(end -> request.response().end(Buffer.buffer(large)));
                });
                TestGateway gateway = gateway(service.url(scheme))) {
            Wire.Reply reply = new Wire.Request("POST", "/upload")
                    .body("application/octet-stream", large)
                    .send(gateway.port());
            assertThat(reply.body()).hasSize(large.length);
            assertThat(received).hasValue(large.length);
        }
    }

    /** The service is not read faster than the client reads, whatever it sends. */
    @Test
    void holds_back_a_service_that_is_faster_than_its_client() throws Exception {
        AtomicLong written = new AtomicLong();
        try (VertxService service = new VertxService(request -> {
                    HttpServerResponse response = request.response().setChunked(true);
                    pump(response, written);
                    response.drainHandler(drained -> pump(response, written));
                });
                TestGateway gateway = gateway(service.url("http"));
                Socket client = new Wire.Request("GET", "/endless").open(gateway.port())) {
            client.getInputStream().readNBytes(100);
            AtomicLong before = new AtomicLong(-1);
            await().atMost(TestGateway.LONG)
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> before.getAndSet(written.get()) == written.get());
            assertThat(written.get()).isLessThan(50_000_000);
        }
    }

    private static void pump(HttpServerResponse response, AtomicLong written) {
        while (!response.closed() && !response.writeQueueFull()) {
            response.write(Buffer.buffer(new byte[64_000]));
            written.addAndGet(64_000);
        }
    }

    @Test
    void whose_client_leaves_is_ended_at_the_service() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicBoolean arrived = new AtomicBoolean();
        try (VertxService service = new VertxService(request -> {
                    request.response().closeHandler(closed -> ended.set(true));
                    request.response().exceptionHandler(failure -> ended.set(true));
                    arrived.set(true);
                });
                TestGateway gateway = gateway(service.url("http"))) {
            try (Socket client = new Wire.Request("GET", "/slow").open(gateway.port())) {
                await().atMost(TestGateway.LONG).untilTrue(arrived);
                client.setSoLinger(true, 0);
            }
            await().atMost(TestGateway.LONG).untilTrue(ended);
        }
    }

    @Test
    void keeps_the_trailers_of_its_answer() throws Exception {
        try (VertxService service = new VertxService(request -> {
                    request.response().setChunked(true).putTrailer("X-Checksum", "7");
                    request.response().end("body");
                });
                TestGateway gateway = gateway(service.url("h2c"));
                Socket client = new Wire.Request("GET", "/").open(gateway.port())) {
            assertThat(readUntil(client.getInputStream(), "0\r\nx-checksum: 7\r\n\r\n"))
                    .contains("body");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Idempotency-Key: order-000000000042\r\n", ""})
    void and_one_that_is_are_asked_to_go_on_before_they_send_their_body(String key) throws Exception {
        try (VertxService service = new VertxService(request -> {
                    if (request.getHeader("Expect") != null) {
                        request.response().writeContinue();
                    }
                    request.body().onSuccess(body -> request.response().end("got " + body));
                });
                TestGateway gateway = gateway(service.url("http"));
                Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            client.setSoTimeout(60_000);
            client.getOutputStream()
                    .write(("POST /upload HTTP/1.1\r\nHost: h\r\n" + key
                                    + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().flush();
            assertThat(readUntil(client.getInputStream(), "\r\n\r\n")).startsWith("HTTP/1.1 100");
            client.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().flush();
            assertThat(readUntil(client.getInputStream(), "got hello")).contains("HTTP/1.1 200");
        }
    }

    @Test
    void of_an_old_client_gets_an_answer_without_chunks() throws Exception {
        try (VertxService service = new VertxService(
                        request -> request.response().setChunked(true).end("as it comes"));
                TestGateway gateway = gateway(service.url("http"));
                Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            client.setSoTimeout(60_000);
            client.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).doesNotContain("chunked").endsWith("\r\n\r\nas it comes");
        }
    }

    @Test
    void tells_the_service_of_its_client_and_believes_only_trusted_proxies() {
        try (LedgerService service = new LedgerService()) {
            Wire.Request spoofed = new Wire.Request("GET", "/x")
                    .header("X-Forwarded-For", "6.6.6.6")
                    .header("X_Forwarded_For", "6.6.6.6")
                    .header("Forwarded", "for=6.6.6.6")
                    .header("X-Real-IP", "6.6.6.6")
                    .header("Semel-Fence", "666")
                    .header("Via", "1.0 before")
                    .header("TE", "gzip")
                    .header("Upgrade", "x");
            try (TestGateway gateway = gateway(service.url())) {
                spoofed.send(gateway.port());
                assertThat(service.lastHead).doesNotContain("6.6.6.6", "666", "Upgrade", "TE:");
                assertThat(service.lastHead)
                        .contains(
                                "X-Forwarded-For: 127.0.0.1\r\n",
                                "X-Forwarded-Proto: http\r\n",
                                "X-Forwarded-Host: localhost\r\n",
                                "Forwarded: for=127.0.0.1;host=\"localhost\";proto=http\r\n",
                                "Via: 1.0 before, 1.1 semel\r\n");
            }
            try (TestGateway gateway = gateway(service.url(), "127.0.0.1")) {
                spoofed.send(gateway.port());
                assertThat(service.lastHead)
                        .contains("X-Forwarded-For: 6.6.6.6, 127.0.0.1\r\n", "Forwarded: for=6.6.6.6, for=127.0.0.1;");
            }
        }
    }

    @Test
    void to_a_service_that_is_down_is_503_and_one_that_breaks_off_is_502() {
        try (LedgerService service = new LedgerService();
                TestGateway gateway = gateway(service.url())) {
            service.work = request -> new byte[0];
            assertThat(new Wire.Request("GET", "/").send(gateway.port()).text()).contains("gateway_upstream_failed");
            service.close();
            assertThat(new Wire.Request("GET", "/").send(gateway.port()).text())
                    .contains("gateway_upstream_unreachable");
        }
    }

    private static String readUntil(InputStream in, String end) throws Exception {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int b = in.read();
            if (b < 0) {
                throw new IllegalStateException("the connection ended after: " + text);
            }
            text.append((char) b);
        }
        return text.toString();
    }
}
