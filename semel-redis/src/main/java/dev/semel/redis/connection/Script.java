package dev.semel.redis.connection;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script.
 *
 * @param digest the SHA-1 by which Redis runs a script that it has cached
 */
public record Script(String text, String digest) {

    public static Script of(String text) {
        try {
            // Redis identifies scripts by their SHA-1; nothing relies on its strength.
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new Script(text, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
