package dev.semel.fingerprint;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Text as bytes, with no two texts alike: Java's own encoders turn every unpaired surrogate into the same mark. */
final class Utf8 {

    private Utf8() {}

    /** The text in UTF-8, or nothing when it has an unpaired surrogate. */
    static Optional<byte[]> encode(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] utf8 = new byte[encoded.remaining()];
            encoded.get(utf8);
            return Optional.of(utf8);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** The UTF-16 units of the text, two bytes each, whatever they are. */
    static byte[] unitsOf(String text) {
        byte[] units = new byte[2 * text.length()];
        for (int i = 0; i < text.length(); i++) {
            units[2 * i] = (byte) (text.charAt(i) >> 8);
            units[2 * i + 1] = (byte) text.charAt(i);
        }
        return units;
    }
}
