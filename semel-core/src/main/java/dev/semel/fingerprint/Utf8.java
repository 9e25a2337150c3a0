package dev.semel.fingerprint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Text as bytes, with no two texts alike: Java's own encoders turn every unpaired surrogate into the same mark. */
final class Utf8 {

    /** Eight bytes at once: most texts are ASCII for the most part. */
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final long NOT_ASCII = 0x8080808080808080L;

    private Utf8() {}

    /** The text in UTF-8, or nothing when it has an unpaired surrogate. */
    static Optional<byte[]> encode(String text) {
        return hasUnpairedSurrogate(text) ? Optional.empty() : Optional.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean hasUnpairedSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the bytes are UTF-8 by RFC 3629: no overlong form, no encoded surrogate, nothing above U+10FFFF. */
    static boolean isWellFormed(byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            if (at + Long.BYTES <= bytes.length && ((long) EIGHT_BYTES.get(bytes, at) & NOT_ASCII) == 0) {
                at += Long.BYTES;
                continue;
            }
            int first = bytes[at++];
            if (first >= 0) {
                continue;
            }
            int more = continuations(first & 0xFF);
            if (more == 0 || bytes.length - at < more || !mayFollow(first & 0xFF, bytes[at] & 0xFF)) {
                return false;
            }
            for (int i = 1; i < more; i++) {
                if (!isContinuation(bytes[at + i] & 0xFF)) {
                    return false;
                }
            }
            at += more;
        }
        return true;
    }

    /** How many bytes follow this first byte; none where it can be no first byte. */
    private static int continuations(int first) {
        if (first < 0xC2 || first > 0xF4) {
            return 0;
        }
        return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    }

    /** Four first bytes leave less room for the second: for forms that would be overlong, surrogates or too high. */
    private static boolean mayFollow(int first, int second) {
        return switch (first) {
            case 0xE0 -> second >= 0xA0 && second <= 0xBF;
            case 0xED -> second >= 0x80 && second <= 0x9F;
            case 0xF0 -> second >= 0x90 && second <= 0xBF;
            case 0xF4 -> second >= 0x80 && second <= 0x8F;
            default -> isContinuation(second);
        };
    }

    private static boolean isContinuation(int b) {
        return (b & 0xC0) == 0x80;
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
