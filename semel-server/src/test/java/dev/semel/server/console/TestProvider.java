package dev.semel.server.console;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A small OpenID provider: every user is logged in at once, and codes are exchanged once, with their verifier. */
final class TestProvider implements AutoCloseable {

    private final HttpServer server;
    private final RSAKey key;
    private final Map<String, Map<String, String>> codes = new HashMap<>();

    /** What is changed about the claims, to make a token that must be refused. */
    UnaryOperator<JWTClaimsSet.Builder> claims = UnaryOperator.identity();

    /** The key that signs; another one than the published makes a forged token. */
    RSAKey signer;

    TestProvider() throws IOException, JOSEException {
        key = new RSAKeyGenerator(2048).keyID("one").generate();
        signer = key;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/.well-known/openid-configuration", exchange -> send(exchange, 200, """
                {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize","token_endpoint":"%1$s/token","jwks_uri":"%1$s/keys"}
                """.formatted(issuer())));
        server.createContext("/keys", exchange -> send(exchange, 200, new JWKSet(key.toPublicJWK()).toString()));
        server.createContext("/token", this::token);
        server.start();
    }

    URI issuer() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** What a user's browser does at the provider; where it is sent back to. */
    String logIn(String authorizationUrl) {
        Map<String, String> asked = parameters(URI.create(authorizationUrl).getRawQuery());
        String code = UUID.randomUUID().toString();
        codes.put(code, asked);
        return asked.get("redirect_uri") + "?code=" + code + "&state=" + asked.get("state");
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> sent =
                parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Map<String, String> asked = codes.remove(sent.get("code"));
        if (asked == null || !challenge(sent.get("code_verifier")).equals(asked.get("code_challenge"))) {
            send(exchange, 400, "{\"error\":\"invalid_grant\"}");
            return;
        }
        JWTClaimsSet.Builder standard = new JWTClaimsSet.Builder()
                .issuer(issuer().toString())
                .subject("0815")
                .audience(asked.get("client_id"))
                .claim("nonce", asked.get("nonce"))
                .claim("preferred_username", "alice")
                .claim("roles", List.of("staff", "semel-operator"))
                .issueTime(Date.from(Instant.now()))
                .expirationTime(Date.from(Instant.now().plusSeconds(300)));
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build(),
                    claims.apply(standard).build());
            token.sign(new RSASSASigner(signer));
            send(exchange, 200, "{\"id_token\":\"" + token.serialize() + "\"}");
        } catch (JOSEException e) {
            throw new IOException(e);
        }
    }

    private static String challenge(String verifier) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            parameters.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return parameters;
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
