package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.semel.server.gateway.config.Explanation;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ReplayCheckConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import dev.semel.testsupport.http.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Before a replay, the gateway")
class ReplayCheckTest {

    private static final String KEY = "order-000000000042";

    @TempDir
    Path directory;

    private final LedgerService service = new LedgerService();
    private final List<String> questions = new CopyOnWriteArrayList<>();
    private volatile int answer = 204;
    private @Nullable HttpServer authorization;

    @AfterEach
    void close() {
        service.close();
        if (authorization != null) {
            authorization.stop(0);
        }
    }

    private GatewayConfig config(JwtConfig jwt, ReplayCheckConfig check) {
        return GatewayConfig.of(
                        UpstreamAddress.parse(service.url()),
                        ScopeConfig.parse("shared"),
                        jwt,
                        TrustedProxies.of(List.of()))
                .replayCheck(check);
    }

    private ReplayCheckConfig.Service asking() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/may", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            questions.add(exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " " + body);
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        server.start();
        authorization = server;
        return new ReplayCheckConfig.Service(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/may"),
                Duration.ofSeconds(10),
                List.of("Authorization"));
    }

    private static Wire.Reply pay(TestGateway gateway, String authorization) {
        return gateway.post(KEY).header("Authorization", authorization).send(gateway.port());
    }

    private static Wire.Reply status(TestGateway gateway, String authorization) {
        return new Wire.Request("GET", "/idempotency/status")
                .key(KEY)
                .header("Authorization", authorization)
                .send(gateway.port());
    }

    private static void assertForbidden(Wire.Reply reply) {
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.text()).contains("idempotency_replay_forbidden");
        assertThat(reply.replayed()).isFalse();
    }

    @Test
    void asks_a_service_with_the_clients_credentials_and_without_its_key() throws Exception {
        try (TestGateway gateway = TestGateway.of(config(JwtConfig.NONE, asking()))) {
            assertThat(pay(gateway, "Bearer a").status()).isEqualTo(201);
            assertThat(questions).isEmpty();
            assertThat(pay(gateway, "Bearer a").replayed()).isTrue();
            assertThat(questions)
                    .hasSize(1)
                    .allSatisfy(question -> assertThat(question)
                            .startsWith("POST Bearer a {\"operation\":\"gateway\",\"scope\":\"shared\"")
                            .contains("\"method\":\"POST\"", "\"recorded\":{\"fence\":1,\"ageSeconds\":")
                            .doesNotContain(KEY));
            assertThat(status(gateway, "Bearer a").replayed()).isTrue();

            answer = 403;
            assertForbidden(pay(gateway, "Bearer b"));
            assertForbidden(status(gateway, "Bearer b"));
            assertThat(service.executions()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 302, 418})
    void refuses_for_now_where_the_service_gives_no_answer(int status) throws Exception {
        try (TestGateway gateway = TestGateway.of(config(JwtConfig.NONE, asking()))) {
            pay(gateway, "Bearer a");
            answer = status;
            assertUnchecked(pay(gateway, "Bearer a"));
            assertUnchecked(status(gateway, "Bearer a"));
            assertThat(service.executions()).isEqualTo(1);
        }
    }

    @Test
    void refuses_for_now_where_the_service_cannot_be_reached() throws Exception {
        ReplayCheckConfig.Service gone = asking();
        authorization.stop(0);
        try (TestGateway gateway = TestGateway.of(config(JwtConfig.NONE, gone))) {
            pay(gateway, "Bearer a");
            assertUnchecked(pay(gateway, "Bearer a"));
        }
    }

    private static void assertUnchecked(Wire.Reply reply) {
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.text()).contains("idempotency_replay_check_failed");
        assertThat(reply.all("Retry-After")).hasSize(1);
    }

    @Test
    void looks_for_a_claim_of_the_verified_token() throws Exception {
        RSAKey key = new RSAKeyGenerator(2048).keyID("k1").generate();
        RSAKey other = new RSAKeyGenerator(2048).keyID("k1").generate();
        Path jwks = Files.writeString(directory.resolve("jwks.json"), new JWKSet(key.toPublicJWK()).toString());
        GatewayConfig config =
                config(new JwtConfig(jwks.toString(), null, null), new ReplayCheckConfig.Claim("roles", "payer"));
        try (TestGateway gateway = TestGateway.of(config)) {
            String payer = token(key, List.of("auditor", "payer"));
            assertThat(pay(gateway, payer).status()).isEqualTo(201);
            assertThat(pay(gateway, payer).replayed()).isTrue();
            assertThat(pay(gateway, token(key, "payer")).replayed()).isTrue();
            assertThat(status(gateway, payer).replayed()).isTrue();
            for (String refused : List.of(
                    token(key, List.of("auditor")),
                    token(key, "payers"),
                    token(other, "payer"),
                    "Bearer none",
                    "none")) {
                assertForbidden(pay(gateway, refused));
                assertForbidden(status(gateway, refused));
            }
            assertThat(service.executions()).isEqualTo(1);
        }
    }

    private static String token(RSAKey key, Object roles) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
                new JWTClaimsSet.Builder()
                        .claim("roles", roles)
                        .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                        .build());
        token.sign(new RSASSASigner(key));
        return "Bearer " + token.serialize();
    }

    @Test
    void needs_the_keys_of_the_issuer_for_a_claim() {
        GatewayConfig config = config(JwtConfig.NONE, new ReplayCheckConfig.Claim("roles", "payer"));
        assertThatThrownBy(() -> TestGateway.of(config)).hasMessageContaining("jwt.jwks");
    }

    @Test
    void explains_who_gets_recorded_answers() throws Exception {
        assertThat(Explanation.of(config(JwtConfig.NONE, new ReplayCheckConfig.None()), "POST /payments"))
                .contains("  recorded answers: for every caller of the scope");
        assertThat(Explanation.of(
                        config(JwtConfig.NONE, new ReplayCheckConfig.Claim("roles", "payer")), "POST /payments"))
                .contains("  recorded answers: for those whose token says roles: payer; others get forbidden");
    }
}
