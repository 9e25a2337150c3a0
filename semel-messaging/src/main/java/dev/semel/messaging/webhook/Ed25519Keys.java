package dev.semel.messaging.webhook;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * The public keys of a sender that signs with Ed25519: one, or several while it changes from one to the next.
 *
 * <p>Immutable, and safe for use by many threads.
 */
final class Ed25519Keys {

    static final int KEY_BYTES = 32;

    private static final String ALGORITHM = "Ed25519";
    private static final int SIGNATURE_BYTES = 64;

    /** What precedes the 32 bytes of a key in the form that Java reads (RFC 8410). */
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    /** The points of small order, without the sign bit: under such a key, signatures can be made without a private key. */
    private static final Set<String> SMALL_ORDER = Set.of(
            "00".repeat(32),
            "01" + "00".repeat(31),
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ec" + "ff".repeat(30) + "7f",
            "ed" + "ff".repeat(30) + "7f",
            "ee" + "ff".repeat(30) + "7f");

    private final List<PublicKey> keys;

    private Ed25519Keys(List<PublicKey> keys) {
        this.keys = keys;
    }

    /**
     * Keys of which each one is good enough.
     *
     * @param keys each of 32 bytes (RFC 8032)
     * @throws IllegalArgumentException when one is not a public key of Ed25519, or one that protects nothing
     */
    static Ed25519Keys of(List<byte[]> keys) {
        return new Ed25519Keys(keys.stream().map(Ed25519Keys::decode).toList());
    }

    private static PublicKey decode(byte[] bytes) {
        if (bytes.length != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "the webhook's public key must have " + KEY_BYTES + " bytes, and has " + bytes.length);
        }
        byte[] withoutSign = bytes.clone();
        withoutSign[KEY_BYTES - 1] &= 0x7f;
        if (SMALL_ORDER.contains(HexFormat.of().formatHex(withoutSign))) {
            throw new IllegalArgumentException(
                    "the webhook's public key protects nothing: it is a point of small order; use the sender's own key");
        }
        byte[] encoded = new byte[X509_PREFIX.length + KEY_BYTES];
        System.arraycopy(X509_PREFIX, 0, encoded, 0, X509_PREFIX.length);
        System.arraycopy(bytes, 0, encoded, X509_PREFIX.length, KEY_BYTES);
        try {
            PublicKey key = KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
            // The key's point is looked at only now.
            signature().initVerify(key);
            return key;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the webhook's public key is not one of Ed25519: its 32 bytes are not a point of the curve", e);
        }
    }

    private static Signature signature() throws NoSuchAlgorithmException {
        return Signature.getInstance(ALGORITHM);
    }

    /**
     * Whether one of the signatures is that of the content under one of the keys. A malformed one is none.
     *
     * @param content in pieces that are signed as one
     */
    boolean haveSigned(List<byte[]> signatures, byte[]... content) {
        return keys.stream()
                .anyMatch(key -> signatures.stream().anyMatch(signature -> hasSigned(key, signature, content)));
    }

    private static boolean hasSigned(PublicKey key, byte[] signature, byte[]... content) {
        if (signature.length != SIGNATURE_BYTES) {
            return false;
        }
        try {
            Signature verifier = signature();
            verifier.initVerify(key);
            for (byte[] piece : content) {
                verifier.update(piece);
            }
            return verifier.verify(signature);
        } catch (SignatureException malformed) {
            return false;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("the key was read with this platform's " + ALGORITHM, e);
        }
    }

    /** Says how many there are. */
    @Override
    public String toString() {
        return keys.size() + " webhook keys";
    }
}
