package dev.semel.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The handler for the JDK's server over TLS")
class JdkHttpsTest {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private static KeyStore certificate(Path directory) throws Exception {
        Path file = directory.resolve("server.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String command = "-genkeypair -alias server -keyalg EC -dname CN=server -ext SAN=ip:127.0.0.1 -storetype PKCS12"
                + " -storepass changeit -keystore " + file;
        Process process = new ProcessBuilder((keytool + " " + command).split(" "))
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    /** For the server and for a client that trusts it. */
    private static SSLContext context(KeyStore keys) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void gives_handlers_an_exchange_with_the_session_of_the_connection(@TempDir Path directory) throws Exception {
        SSLContext tls = context(certificate(directory));
        Routes routes = Routes.builder()
                .protect("*", "*", RoutePolicy.of(Operation.named("pay")).build())
                .build();
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build()) {
            Gate gate =
                    Gate.on(semel, routes, ScopeStrategy.fixed(Scope.GLOBAL)).build();
            server.createContext("/", new SemelHttpHandler(gate, exchange -> {
                byte[] session = ((HttpsExchange) exchange).getSSLSession().getId();
                String protocol = ((HttpsExchange) exchange).getSSLSession().getProtocol();
                exchange.sendResponseHeaders(201, 0);
                exchange.getResponseBody()
                        .write((protocol + session.length + exchange.getRequestMethod())
                                .getBytes(StandardCharsets.UTF_8));
                exchange.close();
            }));
            server.start();
            HttpClient client = HttpClient.newBuilder().sslContext(tls).build();
            HttpRequest request = HttpRequest.newBuilder(URI.create(
                            "https://127.0.0.1:" + server.getAddress().getPort() + "/pay"))
                    .header("Idempotency-Key", "k")
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            HttpResponse<String> first = client.send(request, HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> second = client.send(request, HttpResponse.BodyHandlers.ofString());

            assertThat(first.body()).startsWith("TLS").endsWith("POST");
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        } finally {
            server.stop(0);
        }
    }
}
