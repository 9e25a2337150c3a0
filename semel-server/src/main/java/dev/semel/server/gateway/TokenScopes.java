package dev.semel.server.gateway;

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
import dev.semel.http.key.KeyInput;
import dev.semel.http.key.ScopeResult;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.server.gateway.config.JwtConfig;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Owners of keys from bearer tokens whose signature, issuer, audience and expiry are verified.
 *
 * <p>The issuer's keys are held in memory and read again on a thread of their own, so that no request waits for them.
 */
final class TokenScopes implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");

    /** Issuers announce new keys hours before they use them. */
    private static final long REFRESH_SECONDS = 300;

    private static final int READ_MILLIS = 5_000;
    private static final int MOST_BYTES = 1 << 20;
    private static final String BEARER = "Bearer ";

    /** Signatures with the issuer's private key; those with a shared secret could be made by every service that verifies. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.copyOf(JWSAlgorithm.Family.SIGNATURE);

    private final JwtConfig config;
    private final String jwks;
    private final ScheduledThreadPoolExecutor refreshing;
    private volatile ImmutableJWKSet<SecurityContext> keys;

    /** @throws IllegalArgumentException when the keys cannot be read */
    TokenScopes(JwtConfig config) {
        this.config = config;
        this.jwks = String.valueOf(config.jwks());
        try {
            this.keys = new ImmutableJWKSet<>(load());
        } catch (IOException | ParseException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the keys of the issuer cannot be read from " + jwks + ": " + e.getMessage(), e);
        }
        this.refreshing = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "semel-gateway-jwks");
            thread.setDaemon(true);
            return thread;
        });
        ScheduledFuture<?> unused =
                refreshing.scheduleWithFixedDelay(this::refresh, REFRESH_SECONDS, REFRESH_SECONDS, TimeUnit.SECONDS);
    }

    private JWKSet load() throws IOException, ParseException {
        return jwks.startsWith("https://") || jwks.startsWith("http://")
                ? JWKSet.load(URI.create(jwks).toURL(), READ_MILLIS, READ_MILLIS, MOST_BYTES)
                : JWKSet.load(new File(jwks));
    }

    private void refresh() {
        try {
            keys = new ImmutableJWKSet<>(load());
        } catch (IOException | ParseException | RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the keys of the issuer cannot be read from " + jwks + "; the old ones stay in force",
                    e);
        }
    }

    /** The owner that a claim names. */
    ScopeStrategy of(String claim) {
        DefaultJWTClaimsVerifier<SecurityContext> claims = verifierOf(claim);
        return input -> resolve(input, claim, claims);
    }

    private DefaultJWTClaimsVerifier<SecurityContext> verifierOf(String claim) {
        return new DefaultJWTClaimsVerifier<>(
                config.audience(),
                config.issuer() == null
                        ? new JWTClaimsSet.Builder().build()
                        : new JWTClaimsSet.Builder().issuer(config.issuer()).build(),
                Set.of(claim, "exp"));
    }

    /** Whether a request has a valid token with a claim that is this value, or a list that contains it. */
    boolean has(KeyInput input, String claim, String value) {
        Object found = claimOf(input, claim, verifierOf(claim));
        return found instanceof Collection<?> values ? values.contains(value) : value.equals(found);
    }

    private ScopeResult resolve(KeyInput input, String claim, DefaultJWTClaimsVerifier<SecurityContext> verifier) {
        return claimOf(input, claim, verifier) instanceof String name && !name.isBlank()
                ? Scopes.owner("jwt", name)
                : new ScopeResult.Missing("a valid bearer token");
    }

    /** A claim of the request's token; null where there is no valid token with this claim. */
    private @Nullable Object claimOf(KeyInput input, String claim, DefaultJWTClaimsVerifier<SecurityContext> verifier) {
        String token = bearer(input.header("Authorization"));
        if (token == null) {
            return null;
        }
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
        processor.setJWTClaimsSetVerifier(verifier);
        try {
            return processor.process(token, null).getClaim(claim);
        } catch (ParseException | BadJOSEException | JOSEException e) {
            LOG.log(System.Logger.Level.DEBUG, "a token was refused: {0}", e.getMessage());
            return null;
        }
    }

    private static @Nullable String bearer(List<String> values) {
        if (values.size() != 1) {
            return null;
        }
        String value = values.get(0);
        return value.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? value.substring(BEARER.length()).strip()
                : null;
    }

    @Override
    public void close() {
        refreshing.shutdownNow();
    }
}
