package dev.semel.messaging.webhook;

import java.util.HexFormat;
import java.util.Optional;

/** Signatures that are written in hex digits. */
final class HexSignatures {

    private HexSignatures() {}

    /** Empty when it is anything else. */
    static Optional<byte[]> parse(String text) {
        try {
            return Optional.of(HexFormat.of().parseHex(text));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
