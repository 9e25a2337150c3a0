package dev.semel.admin;

import dev.semel.Identity;
import dev.semel.reconcile.RecordSearch.Position;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A place in a search as text, for the next page. */
final class Cursor {

    private static final int LONGEST = 4000;
    private static final long LATEST_MICROS =
            Instant.parse("9999-01-01T00:00:00Z").getEpochSecond() * 1_000_000;

    private Cursor() {}

    static @Nullable String text(@Nullable Position position) {
        if (position == null) {
            return null;
        }
        String plain = ChronoUnit.MICROS.between(Instant.EPOCH, position.claimedAt()) + "\n" + position.fence() + "\n"
                + position.identity().scope().value() + "\n"
                + position.identity().key().value();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }

    /** Databases know fewer years than Java. */
    private static long inRange(long micros) {
        if (micros < 0 || micros > LATEST_MICROS) {
            throw new IllegalArgumentException("no record has this time");
        }
        return micros;
    }

    /** @throws IllegalArgumentException when this is no cursor of a page */
    static Position read(String text) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split("\n", -1);
            if (text.length() <= LONGEST && parts.length == 4) {
                return new Position(
                        Instant.EPOCH.plus(inRange(Long.parseLong(parts[0])), ChronoUnit.MICROS),
                        Long.parseLong(parts[1]),
                        Identity.of(parts[2], parts[3]));
            }
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("the cursor is not one that a page of this API gave", e);
        }
        throw new IllegalArgumentException("the cursor is not one that a page of this API gave");
    }
}
