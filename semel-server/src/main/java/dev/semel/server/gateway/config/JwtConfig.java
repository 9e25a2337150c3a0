package dev.semel.server.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * How bearer tokens are verified.
 *
 * @param jwks the file or URL of the public keys; null where no scope is taken from tokens
 * @param issuer what {@code iss} must be; null for any
 * @param audience what {@code aud} must contain; null for any
 */
public record JwtConfig(
        @Nullable String jwks,
        @Nullable String issuer,
        @Nullable String audience) {

    /** No token is accepted. */
    public static final JwtConfig NONE = new JwtConfig(null, null, null);
}
