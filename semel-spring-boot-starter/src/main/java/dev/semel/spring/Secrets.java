package dev.semel.spring;

import dev.semel.StoreException;
import dev.semel.engine.EncryptionKeys;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.spring.SemelProperties.SecretKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is made of the secrets in properties. A wrong one is refused without Spring's exception for bad values: its report shows
 * the value, and with it the secret.
 */
final class Secrets {

    /** As many as a random base64 text of 12 bytes has; what is shorter can be found by trying. */
    private static final int SHORTEST_DOWNSTREAM_SECRET = 16;

    private Secrets() {}

    /** Gives the engine its secrets. */
    static void configure(SemelEngine.Builder builder, SemelProperties properties, @Nullable EncryptionKeys bean) {
        String downstream = properties.downstreamSecret();
        if (downstream != null) {
            if (downstream.length() < SHORTEST_DOWNSTREAM_SECRET) {
                throw new StoreException("the property semel.downstream-secret has " + downstream.length()
                        + " characters: at least " + SHORTEST_DOWNSTREAM_SECRET
                        + " are required; create it with `openssl rand -base64 32`");
            }
            builder.downstreamSecret(downstream.getBytes(StandardCharsets.UTF_8));
        }
        hashKeys(builder, properties);
        explainMismatches(builder, properties);
        encryption(properties.encryption(), bean).ifPresent(builder::encryption);
    }

    private static void hashKeys(SemelEngine.Builder builder, SemelProperties properties) {
        String secret = properties.keysSecret();
        if (properties.keys() == SemelProperties.Keys.CLEAR) {
            if (secret != null) {
                throw new StoreException("the property semel.keys-secret is set, but keys are stored in the clear: set"
                        + " semel.keys to hashed, or leave the secret out");
            }
            return;
        }
        if (secret == null) {
            throw new StoreException(
                    "the property semel.keys is hashed, but semel.keys-secret is missing: it holds at least"
                            + " 32 random bytes in base64, the same in all instances; create it with"
                            + " `openssl rand -base64 32`");
        }
        try {
            builder.hashedKeys(secret);
        } catch (IllegalArgumentException e) {
            throw new StoreException("the value of the property semel.keys-secret is wrong: " + e.getMessage());
        }
    }

    private static void explainMismatches(SemelEngine.Builder builder, SemelProperties properties) {
        String secret = properties.explanationSecret();
        if (!properties.http().explainMismatches()) {
            if (secret != null) {
                throw new StoreException(
                        "the property semel.explanation-secret is set, but mismatches are not explained:"
                                + " set semel.http.explain-mismatches to true, or leave the secret out");
            }
            return;
        }
        if (secret == null) {
            String other = otherSecret(properties);
            if (other == null) {
                builder.explainMismatches();
            } else {
                builder.explainMismatches(derived("explained mismatches", other));
            }
            return;
        }
        try {
            builder.explainMismatches(secret);
        } catch (IllegalArgumentException e) {
            throw new StoreException("the value of the property semel.explanation-secret is wrong: " + e.getMessage());
        }
    }

    /**
     * A secret that keeps readers of the store from testing guesses of fingerprints or keys. Digests of single values are easier to
     * guess than those, so they must not rest on a secret that lies in the store.
     */
    private static @Nullable String otherSecret(SemelProperties properties) {
        SecretKeys fingerprints = properties.fingerprints();
        String current = fingerprints.current();
        String secret = current == null ? null : fingerprints.keys().get(current);
        return secret == null ? properties.keysSecret() : secret;
    }

    private static byte[] derived(String purpose, String secret) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest((purpose + ":" + secret.strip()).getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static Optional<EncryptionKeys> encryption(SecretKeys keys, @Nullable EncryptionKeys bean) {
        String property = "semel.encryption";
        if (bean != null) {
            requireNone(property, keys, "EncryptionKeys");
            return Optional.of(bean);
        }
        return ring(property, keys, EncryptionKeys::current, EncryptionKeys::older);
    }

    /** How requests are digested: with the current secret, or without one. */
    static Fingerprinter fingerprinter(SecretKeys keys) {
        return ring("semel.fingerprints", keys, Fingerprinter::hmac, Fingerprinter::accepting)
                .orElseGet(Fingerprinter::sha256);
    }

    /** Refuses properties that a bean of the application replaces. */
    static void requireNone(String property, SecretKeys keys, String bean) {
        if (keys.current() != null || !keys.keys().isEmpty()) {
            throw new StoreException("the properties " + property + ".* are set, but there is also a bean of type "
                    + bean + ", which replaces them: remove one of the two");
        }
    }

    /** Adds an older secret. */
    private interface Older<R> {
        R add(R ring, String id, byte[] secret);
    }

    private static <R> Optional<R> ring(
            String property, SecretKeys keys, BiFunction<String, byte[], R> first, Older<R> older) {
        String current = keys.current();
        if (current == null && keys.keys().isEmpty()) {
            return Optional.empty();
        }
        String secret = current == null ? null : keys.keys().get(current);
        if (current == null || secret == null) {
            throw new StoreException("the property " + property + ".current is "
                    + (current == null ? "missing" : "\"" + current + "\"") + ": set it to the id of the secret for new"
                    + " records, one of " + property + ".keys: " + keys.keys().keySet());
        }
        R ring = made(property, current, secret, bytes -> first.apply(current, bytes));
        for (Map.Entry<String, String> other : keys.keys().entrySet()) {
            if (!other.getKey().equals(current)) {
                R before = ring;
                ring = made(
                        property, other.getKey(), other.getValue(), bytes -> older.add(before, other.getKey(), bytes));
            }
        }
        return Optional.of(ring);
    }

    private static <R> R made(String property, String id, String base64, Function<byte[], R> making) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            throw new StoreException("the value of the property " + property + ".keys." + id
                    + " is not base64; create it with `openssl rand -base64 32`");
        }
        try {
            return making.apply(bytes);
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    "the value of the property " + property + ".keys." + id + " is wrong: " + e.getMessage());
        }
    }
}
