package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.StoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a response lies in a store, versioned so that two releases can share one.
 *
 * <ol>
 *   <li>one byte: the format's version, 1; or 2 if it says where it was executed
 *   <li>one byte: flags; one that is not known is a format that is not known
 *   <li>if compressed, four bytes: the length before compression
 *   <li>if it says where it was executed, one byte and that many bytes: that, as the tracer says it
 *   <li>if encrypted, one byte and that many bytes: the encryption key's id; twelve bytes: the nonce
 *   <li>the body; encryption authenticates everything before it and the record's identity, so that no stored response can
 *       be moved to another record
 * </ol>
 *
 * <p>A release that knows only version 1 refuses to open version 2, and says so: it would take the origin for a part of the
 * response. So tracing is switched on once every process is of a release that knows it. Without tracing all is version 1.
 */
final class Envelope {

    /** Smaller responses gain nothing that a database page would notice. */
    private static final int COMPRESS_ABOVE_BYTES = 1024;

    /** Deflate cannot do better than 1,032 to 1: a damaged length must not make us reserve gigabytes. */
    private static final int MOST_COMPRESSION = 1100;

    private static final byte VERSION = 1;
    private static final byte VERSION_WITH_ORIGIN = 2;
    private static final int FAILURE = 1;
    private static final int COMPRESSED = 2;
    private static final int ENCRYPTED = 4;
    private static final int ORIGIN = 8;
    private static final int KNOWN = FAILURE | COMPRESSED | ENCRYPTED;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final @Nullable EncryptionKeys keys;
    private final SecureRandom random = new SecureRandom();

    Envelope(@Nullable EncryptionKeys keys) {
        this.keys = keys;
    }

    /**
     * A response with its meaning, as it was before it was sealed.
     *
     * @param origin where it was executed; empty when it was not traced
     */
    record Opened(Response response, boolean failure, String origin) {}

    Response seal(Identity identity, Response plain, boolean failure) {
        return seal(identity, plain, failure, Traces.NOWHERE);
    }

    /** Seals a response together with where it was executed: at most 127 ASCII characters, or none. */
    Response seal(Identity identity, Response plain, boolean failure, String origin) {
        int flags = (failure ? FAILURE : 0) | (origin.isEmpty() ? 0 : ORIGIN);
        byte[] body = plain.bytes();
        byte[] smaller = body.length > COMPRESS_ABOVE_BYTES ? deflated(body) : body;
        if (smaller.length < body.length) {
            flags |= COMPRESSED;
        }
        if (keys != null) {
            flags |= ENCRYPTED;
        }
        byte[] header = header(flags, body.length, origin.getBytes(StandardCharsets.US_ASCII));
        return Response.of(keys == null ? joined(header, smaller) : encrypted(keys, identity, header, smaller));
    }

    private static byte[] header(int flags, int lengthBeforeCompression, byte[] origin) {
        boolean compressed = (flags & COMPRESSED) != 0;
        if (!compressed && origin.length == 0) {
            return new byte[] {VERSION, (byte) flags};
        }
        int originBytes = origin.length == 0 ? 0 : 1 + origin.length;
        ByteBuffer header = ByteBuffer.allocate(2 + (compressed ? Integer.BYTES : 0) + originBytes)
                .put(origin.length == 0 ? VERSION : VERSION_WITH_ORIGIN)
                .put((byte) flags);
        if (compressed) {
            header.putInt(lengthBeforeCompression);
        }
        if (origin.length > 0) {
            header.put((byte) origin.length).put(origin);
        }
        return header.array();
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    Opened open(Identity identity, Response sealed) {
        byte[] bytes = sealed.bytes();
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte version = in.get();
            if (version != VERSION && version != VERSION_WITH_ORIGIN) {
                throw unknownFormat(identity, "" + version);
            }
            int flags = in.get();
            if ((flags & ~KNOWN) != (version == VERSION ? 0 : ORIGIN)) {
                throw unknownFormat(identity, version + " with flags " + flags);
            }
            int length = (flags & COMPRESSED) != 0 ? in.getInt() : -1;
            String origin = (flags & ORIGIN) != 0 ? ascii(framed(in)) : Traces.NOWHERE;
            byte[] body = (flags & ENCRYPTED) != 0 ? decrypted(identity, bytes, in) : rest(in);
            byte[] plain = (flags & COMPRESSED) != 0 ? inflated(body, length) : body;
            return new Opened(Response.of(plain), (flags & FAILURE) != 0, origin);
        } catch (BufferUnderflowException | DataFormatException | NegativeArraySizeException e) {
            throw new StoreException("the stored response of " + identity + " is damaged", e);
        }
    }

    private static StoreException unknownFormat(Identity identity, String format) {
        return new StoreException("the response of " + identity + " is stored in format " + format
                + ", which this release does not know: upgrade it");
    }

    /** One byte, and that many bytes. */
    private static byte[] framed(ByteBuffer in) {
        byte[] framed = new byte[in.get()];
        in.get(framed);
        return framed;
    }

    private static String ascii(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private byte[] encrypted(EncryptionKeys ring, Identity identity, byte[] start, byte[] body) {
        byte[] id = ring.currentId().getBytes(StandardCharsets.US_ASCII);
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] header = ByteBuffer.allocate(start.length + 1 + id.length + NONCE_BYTES)
                .put(start)
                .put((byte) id.length)
                .put(id)
                .put(nonce)
                .array();
        try {
            SecretKey key = ring.find(ring.currentId()).orElseThrow();
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, identity, header);
            byte[] sealed = Arrays.copyOf(header, header.length + cipher.getOutputSize(body.length));
            int length = cipher.doFinal(body, 0, body.length, sealed, header.length);
            return header.length + length == sealed.length ? sealed : Arrays.copyOf(sealed, header.length + length);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed", e);
        }
    }

    private byte[] decrypted(Identity identity, byte[] bytes, ByteBuffer in) {
        byte[] id = framed(in);
        byte[] nonce = new byte[NONCE_BYTES];
        in.get(nonce);
        byte[] header = Arrays.copyOf(bytes, in.position());
        String keyId = ascii(id);
        if (keys == null) {
            throw new StoreException(
                    "the response of " + identity + " is encrypted, and no encryption key is configured");
        }
        SecretKey key = keys.find(keyId)
                .orElseThrow(() -> new StoreException("the response of " + identity + " is encrypted with key '" + keyId
                        + "', which is not configured: add it as an older key"));
        try {
            return cipher(Cipher.DECRYPT_MODE, key, nonce, identity, header)
                    .doFinal(bytes, in.position(), in.remaining());
        } catch (GeneralSecurityException e) {
            throw new StoreException(
                    "the stored response of " + identity + " does not decrypt with key '" + keyId + "'", e);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, Identity identity, byte[] header)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(header);
        cipher.updateAAD(Framed.bytes(identity.scope().value(), identity.key().value()));
        return cipher;
    }

    private static byte[] rest(ByteBuffer in) {
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        return rest;
    }

    private static byte[] deflated(byte[] body) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(body);
            deflater.finish();
            byte[] out = new byte[body.length];
            int length = deflater.deflate(out);
            return deflater.finished() ? Arrays.copyOf(out, length) : body;
        } finally {
            deflater.end();
        }
    }

    private static byte[] inflated(byte[] body, int length) throws DataFormatException {
        if (length < 0 || length > (long) body.length * MOST_COMPRESSION) {
            throw new DataFormatException("no compression is that good");
        }
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(body);
            byte[] out = new byte[length];
            if (inflater.inflate(out) != length) {
                throw new DataFormatException("shorter than it says");
            }
            return out;
        } finally {
            inflater.end();
        }
    }
}
