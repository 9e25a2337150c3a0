package dev.semel.messaging.webhook;

import java.util.HexFormat;
import java.util.Optional;

/** Parses signatures in hex digits. */
final class HexSignatures {

    private HexSignatures() {}

    /** The bytes; empty when the text is not hex digits. */
    static Optional<byte[]> parse(String text) {
        try {
            return Optional.of(HexFormat.of().parseHex(text));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
