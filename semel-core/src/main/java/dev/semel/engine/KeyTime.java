package dev.semel.engine;

import dev.semel.Intent;
import dev.semel.Operation.LateRetries;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The time that a key carries, if it is a UUID of version 1, 6 or 7, or a ULID, in canonical form.
 *
 * <p>Version and variant are checked. A time before 2015 or after September 2039 counts as none: no client makes such keys,
 * but other identifiers of the same length would be mistaken for them. It also means that every ULID begins with {@code 01},
 * which no text in the usual base 32 does.
 */
final class KeyTime {

    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[167][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}");

    private static final String BASE_32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private static final Pattern ULID = Pattern.compile("01[" + BASE_32 + "]{24}");

    private static final int ULID_TIME_LENGTH = 10;

    private static final long EARLIEST_MILLIS =
            Instant.parse("2015-01-01T00:00:00Z").toEpochMilli();

    /** In September 2039; below it, the first two digits of a ULID are 01. */
    private static final long LATEST_MILLIS = 1L << 41;

    /** The time of versions 1 and 6 counts steps of 100 ns since October 15, 1582. */
    private static final long STEPS_BEFORE_1970 = 0x01B21DD213814000L;

    private static final int STEPS_PER_MILLI = 10_000;

    private KeyTime() {}

    /** When the request was first sent: what its caller says, else what its key says. */
    static @Nullable Instant of(Intent intent) {
        return intent.firstSentAt() != null || intent.operation().lateRetries() == LateRetries.BY_TOMBSTONE
                ? intent.firstSentAt()
                : of(intent.identity().key().value());
    }

    static @Nullable Instant of(String key) {
        if (key.length() == 36 && UUID.matcher(key).matches()) {
            return plausible(ofUuid(key));
        }
        return key.length() == 26 && ULID.matcher(key).matches() ? plausible(ofUlid(key)) : null;
    }

    private static @Nullable Instant plausible(long millis) {
        return millis < EARLIEST_MILLIS || millis >= LATEST_MILLIS ? null : Instant.ofEpochMilli(millis);
    }

    private static long ofUuid(String uuid) {
        String first = uuid.substring(0, 8);
        String second = uuid.substring(9, 13);
        String third = uuid.substring(15, 18);
        return switch (uuid.charAt(14)) {
            case '7' -> Long.parseLong(first + second, 16);
            case '6' -> millis(first + second + third);
            default -> millis(third + second + first);
        };
    }

    private static long millis(String steps) {
        return Math.floorDiv(Long.parseLong(steps, 16) - STEPS_BEFORE_1970, STEPS_PER_MILLI);
    }

    private static long ofUlid(String ulid) {
        long millis = 0;
        for (int i = 0; i < ULID_TIME_LENGTH; i++) {
            millis = millis << 5 | BASE_32.indexOf(ulid.charAt(i));
        }
        return millis;
    }
}
