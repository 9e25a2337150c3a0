package dev.semel;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;

/** What identifies a record: a key within its scope. There is no lookup by key alone. */
public record Identity(Scope scope, Key key) implements Comparable<Identity> {

    private static final Comparator<Identity> ORDER =
            Comparator.comparing((Identity id) -> id.scope.value()).thenComparing(id -> id.key.value());

    /** Two of a billion identities have the same digest with a chance of one in 10^20. */
    private static final int DIGEST_BYTES = 16;

    public static Identity of(String scope, String key) {
        return new Identity(new Scope(scope), new Key(key));
    }

    /**
     * 16 bytes that stand for this identity where it must not be kept itself: the first of the SHA-256 of the length of the
     * scope (four bytes), the scope and the key.
     */
    public byte[] digest() {
        byte[] scopeBytes = scope.value().getBytes(StandardCharsets.UTF_8);
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(scopeBytes.length).array());
            sha256.update(scopeBytes);
            return Arrays.copyOf(sha256.digest(key.value().getBytes(StandardCharsets.UTF_8)), DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public int compareTo(Identity other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return scope + " " + key;
    }
}
