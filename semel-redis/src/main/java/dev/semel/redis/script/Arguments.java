package dev.semel.redis.script;

import java.nio.charset.StandardCharsets;

/** Encodes the arguments of scripts. */
public final class Arguments {

    /** An argument without content. */
    public static final byte[] EMPTY = {};

    private static final byte[] TRUE = {'1'};
    private static final byte[] FALSE = {'0'};

    private Arguments() {}

    public static byte[] number(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    public static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] flag(boolean set) {
        return set ? TRUE : FALSE;
    }
}
