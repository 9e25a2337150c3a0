package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import dev.semel.testsupport.http.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys belong to the owner that was verified, and never to one that a client chose. */
@DisplayName("The owner of a key")
class ScopesTest {

    @TempDir
    Path directory;

    private final LedgerService service = new LedgerService();

    @AfterEach
    void close() {
        service.close();
    }

    private TestGateway gateway(String scope, JwtConfig jwt, String... trusted) {
        return TestGateway.of(GatewayConfig.of(
                UpstreamAddress.parse(service.url()),
                ScopeConfig.parse(scope),
                jwt,
                TrustedProxies.of(List.of(trusted))));
    }

    private static Wire.Reply pay(TestGateway gateway, String header, String value) {
        return gateway.post("order-000000000042").header(header, value).send(gateway.port());
    }

    @Test
    void is_the_header_of_a_trusted_proxy() {
        try (TestGateway gateway = gateway("header:X-Account", JwtConfig.NONE, "127.0.0.0/8")) {
            assertThat(pay(gateway, "X-Account", "acme").status()).isEqualTo(201);
            assertThat(pay(gateway, "X-Account", "acme").replayed()).isTrue();
            assertThat(pay(gateway, "X-Account", "globex").replayed()).isFalse();
            assertThat(service.executions()).isEqualTo(2);
            assertThat(gateway.pay("order-000000000042").text()).contains("idempotency_scope_missing");
        }
    }

    @Test
    void is_not_the_header_of_another_client() {
        try (TestGateway gateway = gateway("header:X-Account", JwtConfig.NONE, "10.0.0.0/8")) {
            assertThat(pay(gateway, "X-Account", "acme").text()).contains("idempotency_scope_missing");
            assertThat(service.executions()).isZero();
        }
        assertThatThrownBy(() -> gateway("header:X-Account", JwtConfig.NONE))
                .hasMessageContaining("is chosen by the client unless a proxy sets it");
    }

    @Test
    void is_the_hash_of_an_api_key_which_is_stored_nowhere() {
        try (TestGateway gateway = gateway("api-key:X-Api-Key", JwtConfig.NONE)) {
            assertThat(pay(gateway, "X-Api-Key", "sk_live_1").status()).isEqualTo(201);
            assertThat(pay(gateway, "X-Api-Key", "sk_live_1").replayed()).isTrue();
            assertThat(pay(gateway, "X-Api-Key", "sk_live_2").replayed()).isFalse();
            Wire.Reply twice = gateway.post("order-000000000042")
                    .header("X-Api-Key", "a")
                    .header("X-Api-Key", "b")
                    .send(gateway.port());
            assertThat(twice.text()).contains("idempotency_scope_invalid");
            assertThat(service.executions()).isEqualTo(2);
        }
    }

    @Test
    void is_the_claim_of_a_token_only_when_it_is_verified() throws Exception {
        RSAKey key = new RSAKeyGenerator(2048).keyID("k1").generate();
        RSAKey other = new RSAKeyGenerator(2048).keyID("k1").generate();
        Path jwks = Files.writeString(directory.resolve("jwks.json"), new JWKSet(key.toPublicJWK()).toString());
        JwtConfig jwt = new JwtConfig(jwks.toString(), "https://login", "payments");
        Instant now = Instant.now();
        JWTClaimsSet.Builder right = new JWTClaimsSet.Builder()
                .subject("alice")
                .issuer("https://login")
                .audience("payments")
                .expirationTime(Date.from(now.plusSeconds(600)));
        try (TestGateway gateway = gateway("jwt:sub", jwt)) {
            assertThat(bearer(gateway, signed(key, right.build())).status()).isEqualTo(201);
            assertThat(bearer(gateway, signed(key, right.build())).replayed()).isTrue();
            assertThat(bearer(gateway, signed(key, right.subject("bob").build()))
                            .replayed())
                    .isFalse();
            assertThat(service.executions()).isEqualTo(2);

            JWTClaimsSet valid = right.subject("alice").build();
            JWTClaimsSet expired = new JWTClaimsSet.Builder(valid)
                    .expirationTime(Date.from(now.minusSeconds(600)))
                    .build();
            SignedJWT shared = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k1").build(), valid);
            shared.sign(new MACSigner(key.toPublicJWK().toRSAPublicKey().getEncoded()));
            List<String> refused = List.of(
                    signed(key, expired),
                    signed(other, valid),
                    signed(
                            key,
                            new JWTClaimsSet.Builder(valid)
                                    .issuer("https://evil")
                                    .build()),
                    signed(key, new JWTClaimsSet.Builder(valid).audience("mail").build()),
                    signed(
                            key,
                            new JWTClaimsSet.Builder(valid).expirationTime(null).build()),
                    signed(key, new JWTClaimsSet.Builder(valid).subject(null).build()),
                    new PlainJWT(valid).serialize(),
                    shared.serialize(),
                    "nonsense");
            for (String token : refused) {
                assertThat(bearer(gateway, token).text()).as(token).contains("idempotency_scope_missing");
            }
            assertThat(gateway.pay("order-000000000042").text()).contains("idempotency_scope_missing");
            assertThat(service.executions()).isEqualTo(2);
        }
    }

    @Test
    void cannot_come_from_tokens_without_the_keys_of_their_issuer() {
        assertThatThrownBy(() -> gateway("jwt:sub", JwtConfig.NONE)).hasMessageContaining("--jwks");
        assertThatThrownBy(() -> gateway("jwt:sub", new JwtConfig("/none.json", null, null)))
                .hasMessageContaining("the keys of the issuer cannot be read from /none.json");
    }

    private static Wire.Reply bearer(TestGateway gateway, String token) {
        return pay(gateway, "Authorization", "Bearer " + token);
    }

    private static String signed(RSAKey key, JWTClaimsSet claims) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(), claims);
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }
}
