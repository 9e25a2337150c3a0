package dev.semel.messaging.webhook;

import java.time.Instant;
import java.util.Optional;

/** Parses timestamps of senders: seconds since 1970, in digits. */
final class Timestamps {

    /** Enough until the year 5138; more would not fit into an instant. */
    private static final int MAX_DIGITS = 11;

    private Timestamps() {}

    /** The time; empty when the text has other characters than digits: a sign or a space would be another spelling of it. */
    static Optional<Instant> parse(String text) {
        boolean digits =
                !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Optional.of(Instant.ofEpochSecond(Long.parseLong(text))) : Optional.empty();
    }
}
