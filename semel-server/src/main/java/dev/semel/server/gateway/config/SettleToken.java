package dev.semel.server.gateway.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The secret that a service presents to settle outcomes. Only its digest is kept. */
public final class SettleToken {

    /** Where the command line finds it. */
    public static final String VARIABLE = "SEMEL_GATEWAY_TOKEN";

    /** 16 characters of base64 are 96 random bits, which cannot be tried out over a network. */
    private static final int SHORTEST = 16;

    private final byte[] digest;

    private SettleToken(byte[] digest) {
        this.digest = digest;
    }

    /**
     * Makes the token from the secret.
     *
     * @throws IllegalArgumentException when it is too short, or cannot be sent in a header
     */
    public static SettleToken of(String secret) {
        if (secret.length() < SHORTEST || !secret.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new IllegalArgumentException("the token for settling must have at least " + SHORTEST
                    + " visible ASCII characters, such as the output of 'openssl rand -base64 24'");
        }
        return new SettleToken(digestOf(secret));
    }

    /** Whether this is the secret. Takes the same time for every wrong one. */
    public boolean matches(String presented) {
        return MessageDigest.isEqual(digest, digestOf(presented));
    }

    private static byte[] digestOf(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "a token for settling";
    }
}
