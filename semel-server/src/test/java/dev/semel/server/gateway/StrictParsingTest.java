package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.StoreConfig;
import dev.semel.server.gateway.config.TlsConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A request with folded lines or chunk extensions")
class StrictParsingTest {

    private static final String HIDDEN = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n";

    private static final String END = "no more connections follow";

    private static final List<String> FOLDED = List.of(
            "X: a\r\n b\r\nContent-Length: 0",
            "X: a\r\n\tb\r\nContent-Length: 0",
            "Content-Length: 0\r\nX: a\r\n b",
            "Content-Length: 0\r\nX:\r\n \t b",
            "Content-Length: 0\r\nX: a\r\n \r\n\t",
            "Content-Length: 0\r\nX: a\r\n Idempotency-Key: other-00000001",
            "Content-Length:\r\n 0",
            "Content-Length: 0\r\n 0",
            "Content-Length: 0\r\n\t, 5",
            "Transfer-Encoding:\r\n chunked",
            "Transfer-Encoding:\r\n\tchunked",
            "Transfer-Encoding: identity,\r\n chunked",
            "Content-Length: 0\r\nX: y\r\n Transfer-Encoding: chunked",
            "Content-Length: 0\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings:\r\n AAAA");

    /** Each would be a whole body to a lenient reader. */
    private static final List<String> CHUNKS = List.of(
            "5;a=b\r\nhello\r\n0\r\n\r\n",
            "5;\r\nhello\r\n0\r\n\r\n",
            "5 ;a\r\nhello\r\n0\r\n\r\n",
            "5\t;a\r\nhello\r\n0\r\n\r\n",
            "5;a=\"b\"\r\nhello\r\n0\r\n\r\n",
            "5;a=\"b;c=\\\"d\"\r\nhello\r\n0\r\n\r\n",
            "5;a=\"\r\nhello\r\n0\r\n\r\n",
            "5;a=\"\r\n\"\r\nhello\r\n0\r\n\r\n",
            "5;\r\r\nhello\r\n0\r\n\r\n",
            "5;a\rb\r\nhello\r\n0\r\n\r\n",
            "5;a\nhello\r\n0\r\n\r\n",
            "1\r\nh\r\n4;a=b\r\nello\r\n0\r\n\r\n",
            "1\r\nh\r\n3;a=\"\r\nell\r\n1\r\no\r\n0\r\n\r\n",
            "5\r\nhello\r\n0;a\r\n\r\n",
            "5\r\nhello\r\n0;a=\"b\"\r\nX: y\r\n\r\n",
            "5\r\nhello\r\n00 ;\r\n\r\n",
            "0;a=b\r\n\r\n",
            "5\r\nhello\r\n0\r\nX: y\r\n z\r\n\r\n",
            "5\r\nhello\r\n0\r\nX: y\r\n\tContent-Length: 5\r\n\r\n",
            "5\r\nhello\r\n0\r\n X: y\r\n\r\n");

    @TempDir
    Path directory;

    private final LedgerService service = new LedgerService();
    private SSLContext trusting;

    @AfterEach
    void close() {
        service.close();
    }

    private GatewayProcess gateway(boolean tls, String upstream) throws Exception {
        TlsConfig with = null;
        if (tls) {
            TestCertificates certificates = new TestCertificates(directory);
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("it", certificates.make("it").getCertificate("it"));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            trusting = SSLContext.getInstance("TLS");
            trusting.init(null, trust.getTrustManagers(), null);
            with = new TlsConfig(certificates.certificate("it"), certificates.key("it"), null);
        }
        HostPort any = new HostPort("127.0.0.1", 0);
        return GatewayProcess.start(
                new StoreConfig("memory:"),
                new GatewayProcess.Listeners(any, any, with),
                GatewayConfig.of(
                        UpstreamAddress.parse(upstream),
                        new ScopeConfig.Shared(),
                        JwtConfig.NONE,
                        TrustedProxies.NONE));
    }

    private Socket connect(GatewayProcess gateway) throws IOException {
        int port = gateway.address().port();
        Socket socket = trusting == null
                ? new Socket(InetAddress.getLoopbackAddress(), port)
                : trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) TestGateway.LONG.toMillis());
        return socket;
    }

    /** Sends this at once and reads until the gateway closes the connection. */
    private String exchange(GatewayProcess gateway, String request) throws IOException {
        try (Socket socket = connect(gateway)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest(name = "over TLS: {0}")
    @ValueSource(booleans = {false, true})
    void is_refused_before_anything_of_it_reaches_the_service(boolean tls) throws Exception {
        List<String> requests = new ArrayList<>();
        for (String lines : FOLDED) {
            requests.add(lines + "\r\n\r\n");
            requests.add("Idempotency-Key: order-00000000\r\n" + lines + "\r\n\r\n");
        }
        for (String chunks : CHUNKS) {
            requests.add("Idempotency-Key: order-00000000\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks);
        }
        try (GatewayProcess gateway = gateway(tls, service.url())) {
            for (int i = 0; i < requests.size(); i++) {
                String request = "POST /p HTTP/1.1\r\nHost: h\r\n"
                        + requests.get(i).replace("order-0000", "order-" + (1000 + i)) + HIDDEN;
                String answer = exchange(gateway, request);
                assertThat(answer)
                        .as(request)
                        .startsWith("HTTP/1.1 400 ")
                        .containsOnlyOnce("HTTP/1.1")
                        .containsIgnoringCase("Connection: close")
                        .contains("\"code\":\"gateway_request_malformed\"");
            }
            assertThat(service.lines).isEmpty();
            assertThat(exchange(gateway, "GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 201 ");
            assertThat(service.lines).containsExactly("GET /last HTTP/1.1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\nHost: h\n\n",
                "GET / HTTP/1.1\r\nHost: h\nX: y\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nX y: z\r\n\r\n",
                "nonsense\r\n\r\n",
            })
    void gets_the_same_answer_as_other_malformed_heads(String request) throws Exception {
        try (GatewayProcess gateway = gateway(false, service.url())) {
            assertThat(exchange(gateway, request + HIDDEN))
                    .matches("(?s)HTTP/1\\.[01] 400 .*\"code\":\"gateway_request_malformed\".*");
            assertThat(service.lines).isEmpty();
        }
    }

    @Test
    void that_is_not_protected_never_reaches_the_service_as_a_whole() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> received = CompletableFuture.supplyAsync(() -> receivedBy(listener));
            try (GatewayProcess gateway = gateway(false, "http://127.0.0.1:" + listener.getLocalPort())) {
                for (String chunks : CHUNKS) {
                    String request =
                            "POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + HIDDEN;
                    assertThat(exchange(gateway, request))
                            .as(chunks)
                            .startsWith("HTTP/1.1 400 ")
                            .containsOnlyOnce("HTTP/1.1")
                            .contains("\"code\":\"gateway_request_malformed\"");
                }
            }
            try (Socket last = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort())) {
                last.getOutputStream().write(END.getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(received.get(TestGateway.LONG.toSeconds(), TimeUnit.SECONDS))
                    .doesNotContain("smuggled", "\r\n0\r\n");
        }
    }

    /** What arrives on all connections until the test says that it was the last one. The service answers nothing. */
    private static String receivedBy(ServerSocket listener) {
        StringBuilder all = new StringBuilder();
        while (all.indexOf(END) < 0) {
            try (Socket socket = listener.accept()) {
                for (int b = socket.getInputStream().read();
                        b >= 0;
                        b = socket.getInputStream().read()) {
                    all.append((char) b);
                }
            } catch (IOException e) {
                // The gateway broke off within a request, as it has to.
                all.append('!');
            }
        }
        return all.toString();
    }

    @ParameterizedTest(name = "over TLS: {0}")
    @ValueSource(booleans = {false, true})
    void does_not_disturb_those_before_it_on_its_connection(boolean tls) throws Exception {
        String good = "\r\nPOST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\na\r\n b"
                + "POST /2 HTTP/1.1\r\nHost: h\r\nX: a;b\r\nIdempotency-Key: order-00000001\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n5\r\n;a\r\n \r\n00\r\nY: z\r\n\r\n"
                + "GET /3 HTTP/1.1\r\nHost: h\r\n\r\n";
        String bad = "GET /4 HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n";
        try (GatewayProcess gateway = gateway(tls, service.url());
                Socket socket = connect(gateway)) {
            for (byte b : (good + bad).getBytes(StandardCharsets.ISO_8859_1)) {
                socket.getOutputStream().write(b);
            }
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(answers.split("HTTP/1\\.1 ", -1))
                    .satisfiesExactly(
                            nothing -> assertThat(nothing).isEmpty(),
                            first -> assertThat(first).startsWith("201 "),
                            second -> assertThat(second).startsWith("201 "),
                            third -> assertThat(third).startsWith("201 "),
                            last -> assertThat(last).startsWith("400 ").contains("gateway_request_malformed"));
            assertThat(service.lines).containsExactly("POST /1 HTTP/1.1", "POST /2 HTTP/1.1", "GET /3 HTTP/1.1");
        }
    }
}
