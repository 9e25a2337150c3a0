package dev.semel.torture.history;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys that carry their time: UUIDs of version 7, written and read here without Semel's own code. */
public final class TimedKey {

    private static final Pattern UUID_7 =
            Pattern.compile("([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}");

    private TimedKey() {}

    /**
     * A key of this time.
     *
     * @param number distinguishes it from others of the same time
     */
    public static String of(Instant time, int number) {
        long millis = time.toEpochMilli();
        return String.format("%08x-%04x-7000-8000-%012x", millis >>> 16, millis & 0xffff, number);
    }

    /** The time of a key; empty when it carries none. */
    static Optional<Instant> timeOf(String key) {
        Matcher matcher = UUID_7.matcher(key);
        return matcher.matches()
                ? Optional.of(Instant.ofEpochMilli(Long.parseLong(matcher.group(1) + matcher.group(2), 16)))
                : Optional.empty();
    }
}
