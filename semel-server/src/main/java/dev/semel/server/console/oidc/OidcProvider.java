package dev.semel.server.console.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.semel.admin.json.JsonObject;
import dev.semel.admin.json.JsonReader;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The provider: where it lets users log in, and what its tokens say. Asks it over HTTP, and blocks meanwhile. */
final class OidcProvider {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int LONGEST = 100_000;

    /** Signatures with the provider's private key; one with a shared secret could be made by the client itself. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.copyOf(JWSAlgorithm.Family.SIGNATURE);

    private final OidcConfig config;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    OidcProvider(OidcConfig config) {
        this.config = config;
    }

    /** The provider's own description of itself. */
    private record Metadata(String authorization, String token, String keys) {}

    private Metadata metadata() throws IOException {
        String issuer = config.issuer().toString().replaceFirst("/+$", "");
        JsonObject json = answer(HttpRequest.newBuilder(URI.create(issuer + "/.well-known/openid-configuration")));
        String told = json.requiredText("issuer", LONGEST);
        if (!told.replaceFirst("/+$", "").equals(issuer)) {
            throw new IOException("the provider calls itself " + told + ", not " + issuer);
        }
        return new Metadata(
                json.requiredText("authorization_endpoint", LONGEST),
                json.requiredText("token_endpoint", LONGEST),
                json.requiredText("jwks_uri", LONGEST));
    }

    /** Where a browser is sent to log in. */
    String authorizationUrl(OidcLogin.Attempt attempt) throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("response_type", "code");
        parameters.put("client_id", config.clientId());
        parameters.put("redirect_uri", config.redirectUri());
        parameters.put("scope", "openid profile email");
        parameters.put("state", attempt.state());
        parameters.put("nonce", attempt.nonce());
        parameters.put("code_challenge", attempt.challenge());
        parameters.put("code_challenge_method", "S256");
        String endpoint = metadata().authorization();
        return endpoint + (endpoint.contains("?") ? "&" : "?") + form(parameters);
    }

    /** Exchanges a code for the claims of a user, which are verified. */
    JWTClaimsSet claims(String code, OidcLogin.Attempt attempt) throws IOException {
        Metadata metadata = metadata();
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("grant_type", "authorization_code");
        parameters.put("code", code);
        parameters.put("redirect_uri", config.redirectUri());
        parameters.put("client_id", config.clientId());
        parameters.put("code_verifier", attempt.verifier());
        if (config.clientSecret() != null) {
            parameters.put("client_secret", config.clientSecret());
        }
        JsonObject tokens = answer(HttpRequest.newBuilder(URI.create(metadata.token()))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form(parameters))));
        return verified(tokens.requiredText("id_token", LONGEST), metadata, attempt.nonce());
    }

    private JWTClaimsSet verified(String token, Metadata metadata, String nonce) throws IOException {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        try {
            JWKSet keys = JWKSet.load(
                    URI.create(metadata.keys()).toURL(), (int) TIMEOUT.toMillis(), (int) TIMEOUT.toMillis(), LONGEST);
            processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, new ImmutableJWKSet<>(keys)));
            processor.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(
                    config.clientId(),
                    new JWTClaimsSet.Builder()
                            .issuer(config.issuer().toString())
                            .claim("nonce", nonce)
                            .build(),
                    Set.of("sub", "exp", "iat")));
            return processor.process(token, null);
        } catch (ParseException | BadJOSEException | JOSEException e) {
            throw new IOException("the provider's token is refused: " + e.getMessage(), e);
        }
    }

    private JsonObject answer(HttpRequest.Builder request) throws IOException {
        try {
            HttpResponse<byte[]> response = client.send(
                    request.timeout(TIMEOUT)
                            .header("Accept", "application/json")
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException("the provider answered " + response.statusCode());
            }
            return JsonReader.object(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the provider was asked", e);
        } catch (IllegalArgumentException e) {
            throw new IOException("the provider's answer is not understood: " + e.getMessage(), e);
        }
    }

    private static String form(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
