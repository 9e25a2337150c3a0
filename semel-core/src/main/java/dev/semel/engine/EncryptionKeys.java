package dev.semel.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The AES keys for recorded responses: one that encrypts, and older ones that still decrypt.
 *
 * <p>To rotate, make the new key current and keep the old one until the longest retention has passed.
 */
public final class EncryptionKeys {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,32}");

    private final String currentId;
    private final Map<String, SecretKey> keys;

    private EncryptionKeys(String currentId, Map<String, SecretKey> keys) {
        this.currentId = currentId;
        this.keys = keys;
    }

    /** A ring with this key, of 16, 24 or 32 bytes, as the current one. */
    public static EncryptionKeys current(String id, byte[] key) {
        return new EncryptionKeys(id, Map.of(checkedId(id), aes(id, key)));
    }

    /** The same ring, which also decrypts what this older key encrypted. */
    public EncryptionKeys older(String id, byte[] key) {
        Map<String, SecretKey> more = new LinkedHashMap<>(keys);
        if (more.put(checkedId(id), aes(id, key)) != null) {
            throw new IllegalArgumentException("two encryption keys have the id " + id);
        }
        return new EncryptionKeys(currentId, Map.copyOf(more));
    }

    public String currentId() {
        return currentId;
    }

    public Optional<SecretKey> find(String id) {
        return Optional.ofNullable(keys.get(id));
    }

    private static String checkedId(String id) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "an encryption key's id has 1 to 32 letters, digits, dots, dashes and underscores");
        }
        return id;
    }

    private static SecretKey aes(String id, byte[] key) {
        if (key.length != 16 && key.length != 24 && key.length != 32) {
            throw new IllegalArgumentException(
                    "encryption key " + id + " has " + key.length + " bytes, an AES key has 16, 24 or 32");
        }
        return new SecretKeySpec(key, "AES");
    }
}
