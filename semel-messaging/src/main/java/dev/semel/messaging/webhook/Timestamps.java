package dev.semel.messaging.webhook;

import java.time.Instant;
import java.util.Optional;

/** Points in time as senders write them: seconds since 1970, in digits. */
final class Timestamps {

    /** Enough until the year 5138; more would not fit into an instant. */
    private static final int MOST_DIGITS = 11;

    private Timestamps() {}

    /** Empty when it is anything but digits: a sign or a space would be another spelling of the same time. */
    static Optional<Instant> parse(String text) {
        boolean digits =
                !text.isEmpty() && text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Optional.of(Instant.ofEpochSecond(Long.parseLong(text))) : Optional.empty();
    }
}
