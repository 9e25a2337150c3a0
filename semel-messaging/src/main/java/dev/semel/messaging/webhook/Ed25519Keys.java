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
 * The public keys of a sender that signs with Ed25519: one, or several during a key rotation.
 *
 * <p>Immutable, and safe for use by many threads.
 */
final class Ed25519Keys {

    static final int KEY_BYTES = 32;

    private static final String ALGORITHM = "Ed25519";
    private static final int SIGNATURE_BYTES = 64;

    /** The prefix of the 32 key bytes in the encoding that Java reads (RFC 8410). */
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
     * Keys, any of which verifies a delivery.
     *
     * @param keys each of 32 bytes (RFC 8032)
     * @throws IllegalArgumentException when one is not an Ed25519 public key, or is a point of small order
     */
    static Ed25519Keys of(List<byte[]> keys) {
        return new Ed25519Keys(keys.stream().map(Ed25519Keys::decode).toList());
    }

    private static PublicKey decode(byte[] bytes) {
        if (bytes.length != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "the webhook's public key has " + bytes.length + " bytes, it must have " + KEY_BYTES);
        }
        byte[] withoutSign = bytes.clone();
        withoutSign[KEY_BYTES - 1] &= 0x7f;
        if (SMALL_ORDER.contains(HexFormat.of().formatHex(withoutSign))) {
            throw new IllegalArgumentException(
                    "the webhook's public key is a point of small order, under which signatures can be forged; use the"
                            + " key that the sender publishes");
        }
        byte[] encoded = new byte[X509_PREFIX.length + KEY_BYTES];
        System.arraycopy(X509_PREFIX, 0, encoded, 0, X509_PREFIX.length);
        System.arraycopy(bytes, 0, encoded, X509_PREFIX.length, KEY_BYTES);
        try {
            PublicKey key = KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
            // Java checks only here that the key is a point of the curve.
            signature().initVerify(key);
            return key;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the webhook's public key is not an Ed25519 key: its 32 bytes are not a point of the curve", e);
        }
    }

    private static Signature signature() throws NoSuchAlgorithmException {
        return Signature.getInstance(ALGORITHM);
    }

    /**
     * Whether one of the signatures is valid for the content under one of the keys. A malformed signature is invalid.
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
            throw new IllegalStateException(ALGORITHM + " was available when the key was read, and is not any more", e);
        }
    }

    /** The number of keys. */
    @Override
    public String toString() {
        return keys.size() + " webhook keys";
    }
}
