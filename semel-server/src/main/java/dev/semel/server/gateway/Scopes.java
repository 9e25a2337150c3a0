package dev.semel.server.gateway;

import dev.semel.Intent.ReplayCheck;
import dev.semel.Scope;
import dev.semel.http.RequestView;
import dev.semel.http.key.KeyInput;
import dev.semel.http.key.Peer;
import dev.semel.http.key.ScopeResult;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.server.gateway.config.ReplayCheckConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The owners of keys, from what was verified: never from something that a client can choose.
 *
 * <p>Each kind of owner has a name of its own in front, so that a header and a certificate never name the same one.
 */
final class Scopes {

    /** Enough that no two credentials meet, and no credential is found from it: they are random. */
    private static final int DIGEST_BYTES = 16;

    private final TrustedProxies trusted;
    private final Optional<TokenScopes> tokens;

    /** @param tokens empty where no token can be verified */
    Scopes(TrustedProxies trusted, Optional<TokenScopes> tokens) {
        this.trusted = trusted;
        this.tokens = tokens;
    }

    /** @throws IllegalArgumentException when what it needs is not configured */
    ScopeStrategy of(ScopeConfig config) {
        if (config instanceof ScopeConfig.Header header) {
            return fromTrustedHeader(header.name());
        }
        if (config instanceof ScopeConfig.Jwt jwt) {
            return tokens.orElseThrow(() -> new IllegalArgumentException(
                            "scope jwt:" + jwt.claim() + " needs the keys of the issuer: give --jwks FILE|URL"))
                    .of(jwt.claim());
        }
        if (config instanceof ScopeConfig.Mtls) {
            return Scopes::fromCertificate;
        }
        if (config instanceof ScopeConfig.ApiKey key) {
            return fromApiKey(key.name());
        }
        return ScopeStrategy.fixed(Scope.of("shared"));
    }

    /**
     * A check that allows callers whose verified token has this claim.
     *
     * @throws IllegalArgumentException when no token can be verified
     */
    ReplayCheck holding(ReplayCheckConfig.Claim claim) {
        TokenScopes verified = tokens.orElseThrow(() -> new IllegalArgumentException(
                "replay-check claim " + claim.name() + " needs the keys of the issuer: give jwt.jwks FILE|URL"));
        return ReplayCheck.of(replay -> replay.request(RequestView.class)
                .map(request -> verified.has(request, claim.name(), claim.value()))
                .orElse(false));
    }

    private ScopeStrategy fromTrustedHeader(String name) {
        if (trusted.isEmpty()) {
            throw new IllegalArgumentException("scope header:" + name
                    + " is chosen by the client unless a proxy sets it: name that proxy's address with --trust-proxy");
        }
        return input -> {
            Peer peer = input.peer();
            return peer != null && trusted.contains(peer.address())
                    ? single(input, name, value -> owner("header", value))
                    : new ScopeResult.Missing("the header " + name + " from a trusted proxy");
        };
    }

    /** The owner that the only value of a header names. */
    private static ScopeResult single(KeyInput input, String name, Function<String, ScopeResult> owner) {
        List<String> values = input.header(name);
        if (values.size() > 1) {
            return new ScopeResult.Invalid(
                    "the header " + name + " was sent " + values.size() + " times; send it once");
        }
        return values.isEmpty() || values.get(0).isBlank()
                ? new ScopeResult.Missing("the header " + name)
                : owner.apply(values.get(0).strip());
    }

    /** An owner of this kind. */
    static ScopeResult owner(String kind, String name) {
        try {
            return new ScopeResult.Found(Scope.of(kind, name));
        } catch (IllegalArgumentException e) {
            return new ScopeResult.Invalid("the value that names the owner cannot be used: " + e.getMessage());
        }
    }

    private static ScopeResult fromCertificate(KeyInput input) {
        Peer peer = input.peer();
        String subject = peer == null ? null : peer.certificateSubject();
        return subject == null ? new ScopeResult.Missing("a client certificate") : owner("certificate", subject);
    }

    /** The credential itself is neither stored nor logged. Another credential of the same owner is another scope. */
    private static ScopeStrategy fromApiKey(String name) {
        return input -> single(input, name, value -> owner("api-key", digest(value)));
    }

    /** A stable name for logs that does not reveal the owner. */
    static String redacted(Scope scope) {
        return "scope#" + digest(scope.value()).substring(0, 8);
    }

    private static String digest(String secret) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
