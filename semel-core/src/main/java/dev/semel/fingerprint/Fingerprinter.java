package dev.semel.fingerprint;

import dev.semel.Fingerprint;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * The maker of {@link Fingerprint fingerprints}: it digests {@link Parts} under the current version and compares stored
 * fingerprints under the version they were stored with.
 *
 * <p>{@code v1:…} is a SHA-256 of the framed parts. {@code v1.KEYID:…} is an HMAC-SHA-256 under the secret of that id,
 * for stores whose readers should not be able to test guesses of what a request contained. Secrets are rotated by making
 * the new one current and keeping the old one until no record carries it:
 *
 * <pre>{@code
 * Fingerprinter.hmac("2026", newSecret).accepting("2025", oldSecret)
 * }</pre>
 *
 * <p>Every fingerprinter accepts {@code v1:…}, so that HMAC can be switched on while records without it exist.
 *
 * <p>Instances are immutable and safe for use by many threads.
 */
public final class Fingerprinter {

    private static final String VERSION = "v1";
    private static final Fingerprinter SHA256 = new Fingerprinter(VERSION, Digester.sha256(), Map.of());

    private final String version;
    private final Digester digester;
    private final Map<String, Digester> older;

    private Fingerprinter(String version, Digester digester, Map<String, Digester> older) {
        this.version = version;
        this.digester = digester;
        this.older = older;
    }

    /** Fingerprints by SHA-256, without a secret. */
    public static Fingerprinter sha256() {
        return SHA256;
    }

    /**
     * Fingerprints by HMAC-SHA-256 under a secret.
     *
     * @param keyId names the secret in stored fingerprints: 1 to 32 letters, digits, {@code _} or {@code -}
     * @param secret at least 16 bytes; a copy is kept
     * @throws IllegalArgumentException when the id is malformed or the secret is too short
     */
    public static Fingerprinter hmac(String keyId, byte[] secret) {
        return new Fingerprinter(
                versionOf(keyId), Digester.hmacSha256(secret), Map.of(SHA256.version, SHA256.digester));
    }

    /**
     * This fingerprinter, comparing also what was stored under an older secret.
     *
     * @throws IllegalArgumentException when the id is malformed or taken, or the secret is too short
     */
    public Fingerprinter accepting(String olderKeyId, byte[] secret) {
        String olderVersion = versionOf(olderKeyId);
        if (olderVersion.equals(version) || older.containsKey(olderVersion)) {
            throw new IllegalArgumentException("two fingerprint secrets have the id \"" + olderKeyId + "\"");
        }
        Map<String, Digester> more = new HashMap<>(older);
        more.put(olderVersion, Digester.hmacSha256(secret));
        return new Fingerprinter(version, digester, Map.copyOf(more));
    }

    /** The fingerprint of these parts under the current version. */
    public Fingerprint of(Parts parts) {
        return fingerprint(version, digester, parts);
    }

    /** The fingerprint of a payload that is text. */
    public Fingerprint ofText(String payload) {
        return of(Parts.builder().add("payload", payload).build());
    }

    /** The fingerprint of a payload that is bytes. */
    public Fingerprint ofBytes(byte[] payload) {
        return of(Parts.builder().add("payload", payload).build());
    }

    /**
     * Whether a stored fingerprint is the fingerprint of these parts, under the version it was stored with and in time
     * that does not depend on where they differ. A fingerprint of an unknown version or secret matches nothing.
     */
    public boolean matches(Fingerprint stored, Parts parts) {
        String storedVersion = stored.version();
        Digester storedWith = storedVersion.equals(version) ? digester : older.get(storedVersion);
        return storedWith != null
                && fingerprint(storedVersion, storedWith, parts).matches(stored);
    }

    private static Fingerprint fingerprint(String version, Digester digester, Parts parts) {
        return new Fingerprint(version + ":" + HexFormat.of().formatHex(digester.digest(parts)));
    }

    private static String versionOf(String keyId) {
        if (!keyId.matches("[A-Za-z0-9_-]{1,32}")) {
            throw new IllegalArgumentException(
                    "the id of a fingerprint secret must be 1 to 32 letters, digits, '_' or '-': \"" + keyId + "\"");
        }
        return VERSION + "." + keyId;
    }
}
