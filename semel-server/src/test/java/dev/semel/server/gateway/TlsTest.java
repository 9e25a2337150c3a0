package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.StoreConfig;
import dev.semel.server.gateway.config.TlsConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A client over TLS")
class TlsTest {

    @TempDir
    Path directory;

    private final LedgerService service = new LedgerService();
    private TestCertificates certificates;
    private KeyStore first;
    private TlsConfig tls;

    @BeforeEach
    void make() throws Exception {
        certificates = new TestCertificates(directory);
        first = certificates.make("first");
        certificates.make("alice");
        tls = new TlsConfig(
                Files.copy(certificates.certificate("first"), directory.resolve("cert.pem")),
                Files.copy(certificates.key("first"), directory.resolve("key.pem")),
                certificates.certificate("alice"));
    }

    @AfterEach
    void close() {
        service.close();
    }

    private GatewayProcess gateway(String scope, TlsConfig with) {
        HostPort any = new HostPort("127.0.0.1", 0);
        return GatewayProcess.start(
                new StoreConfig("memory:"),
                new GatewayProcess.Listeners(any, any, with),
                GatewayConfig.of(
                        UpstreamAddress.parse(service.url()),
                        ScopeConfig.parse(scope),
                        JwtConfig.NONE,
                        TrustedProxies.NONE));
    }

    private HttpClient client(KeyStore trusted, KeyStore own) throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore only = KeyStore.getInstance("PKCS12");
        only.load(null, null);
        only.setCertificateEntry("it", trusted.getCertificate("it"));
        trust.init(only);
        KeyManager[] keys = new KeyManager[0];
        if (own != null) {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(own, certificates.password());
            keys = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static HttpResponse<String> pay(HttpClient client, GatewayProcess gateway, HttpClient.Version version)
            throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(
                                "https://127.0.0.1:" + gateway.address().port() + "/payments"))
                        .version(version)
                        .header("Idempotency-Key", "order-000000000042")
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void speaks_either_version_and_gets_one_record(HttpClient.Version version) throws Exception {
        try (GatewayProcess gateway = gateway("shared", tls)) {
            HttpResponse<String> answer = pay(client(first, null), gateway, version);
            assertThat(answer.version()).isEqualTo(version);
            assertThat(answer.statusCode()).isEqualTo(201);
            HttpResponse<String> retry = pay(client(first, null), gateway, HttpClient.Version.HTTP_1_1);
            assertThat(retry.headers().firstValue("Idempotency-Replayed")).contains("true");
            assertThat(service.executions()).isEqualTo(1);
            assertThat(service.lastHead).contains("X-Forwarded-Proto: https");
        }
    }

    @Test
    void owns_its_keys_by_its_certificate_and_none_without() throws Exception {
        KeyStore alice = certificates.make("alice2");
        try (GatewayProcess gateway =
                gateway("mtls", new TlsConfig(tls.certificate(), tls.key(), certificates.certificate("alice2")))) {
            assertThat(pay(client(first, alice), gateway, HttpClient.Version.HTTP_2)
                            .statusCode())
                    .isEqualTo(201);
            assertThat(pay(client(first, null), gateway, HttpClient.Version.HTTP_2)
                            .body())
                    .contains("idempotency_scope_missing");
            assertThat(service.executions()).isEqualTo(1);
        }
        assertThatThrownBy(() -> gateway("mtls", new TlsConfig(tls.certificate(), tls.key(), null)))
                .hasMessageContaining("tls.client-ca");
        assertThatThrownBy(() -> gateway("mtls", null)).hasMessageContaining("tls.client-ca");
    }

    @Test
    void gets_the_new_certificate_when_its_files_were_replaced() throws Exception {
        KeyStore second = certificates.make("second");
        try (GatewayProcess gateway = gateway("shared", tls)) {
            pay(client(first, null), gateway, HttpClient.Version.HTTP_2);
            Files.copy(certificates.certificate("second"), tls.certificate(), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(certificates.key("second"), tls.key(), StandardCopyOption.REPLACE_EXISTING);
            X509Certificate expected = (X509Certificate) second.getCertificate("it");
            await().atMost(TestGateway.LONG)
                    .ignoreExceptions()
                    .until(() -> pay(client(second, null), gateway, HttpClient.Version.HTTP_2)
                            .sslSession()
                            .orElseThrow()
                            .getPeerCertificates()[0]
                            .equals(expected));
        }
    }
}
