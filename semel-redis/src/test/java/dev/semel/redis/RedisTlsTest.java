package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.RedisServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Redis: over TLS")
class RedisTlsTest {

    @TempDir
    static Path directory;

    private static Certificate here;
    private static Certificate elsewhere;
    private static RedisServer server;
    private static int port;
    private static RedisServer impostor;
    private static int impostorPort;

    @BeforeAll
    static void start() throws Exception {
        here = Certificate.of(directory, "here", "ip:127.0.0.1");
        elsewhere = Certificate.of(directory, "elsewhere", "dns:redis.example.com");
        port = freePort();
        server = serve(here, port);
        impostorPort = freePort();
        impostor = serve(elsewhere, impostorPort);
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static RedisServer serve(Certificate certificate, int tlsPort) {
        return RedisServer.start(
                "--tls-port",
                String.valueOf(tlsPort),
                "--tls-cert-file",
                certificate.file().toString(),
                "--tls-key-file",
                certificate.key().toString(),
                "--tls-ca-cert-file",
                certificate.file().toString(),
                "--tls-auth-clients",
                "no");
    }

    @AfterAll
    static void stop() {
        server.close();
        impostor.close();
    }

    private static String uri(int tlsPort, Certificate trusted) {
        return "rediss://127.0.0.1:" + tlsPort + "?tlsCa=" + trusted.file();
    }

    @Test
    @DisplayName("with the authority of the server's certificate, calls succeed")
    void trusted() {
        try (RedisStore store = RedisStore.open(uri(port, here))) {
            assertThat(Calls.complete(store, Calls.granted(store, "k"))).isInstanceOf(SettleAnswer.Settled.class);
        }
    }

    @Test
    @DisplayName("a certificate of another authority is refused")
    void another_authority() {
        assertRefused(uri(port, elsewhere));
    }

    @Test
    @DisplayName("without tlsCa, the authorities that Java trusts are used")
    void no_authority() {
        assertRefused("rediss://127.0.0.1:" + port);
    }

    @Test
    @DisplayName("a certificate for another host is refused, unless tlsVerify is false")
    void another_host() {
        assertRefused(uri(impostorPort, elsewhere));
        try (RedisStore store = RedisStore.open("rediss://127.0.0.1:" + impostorPort + "?tlsVerify=false")) {
            Calls.granted(store, "k");
        }
    }

    @Test
    @DisplayName("without TLS, a TLS port cannot be reached")
    void tls_only() {
        assertThatThrownBy(() -> RedisStore.open("redis://127.0.0.1:" + port))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot be reached");
    }

    private static void assertRefused(String uri) {
        assertThatThrownBy(() -> RedisStore.open(uri))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the TLS handshake with Redis at ");
    }

    @Test
    @DisplayName("a missing file of authorities is named")
    void no_such_file() {
        assertThatThrownBy(() -> RedisStore.open("rediss://127.0.0.1:" + port + "?tlsCa=/nowhere/ca.pem"))
                .hasMessageContaining("/nowhere/ca.pem");
    }
}
