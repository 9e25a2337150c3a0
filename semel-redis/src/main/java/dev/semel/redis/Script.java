package dev.semel.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One verb as Redis runs it.
 *
 * @param digest the name under which Redis knows the text once it has seen it
 */
record Script(String text, String digest) {

    static Script of(String text) {
        try {
            // Redis names scripts by their SHA-1; nothing is protected by it.
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new Script(text, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
