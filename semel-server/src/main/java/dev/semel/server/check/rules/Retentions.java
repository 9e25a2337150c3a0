package dev.semel.server.check.rules;

import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Header;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rules that wait for a retention. */
final class Retentions {

    private Retentions() {}

    static Outcome check(Probe probe, Function<Duration, Outcome> check) {
        Duration given = probe.settings().retention();
        Duration retention = given == null ? stated(probe.baseline().answer()) : given;
        if (retention == null) {
            return new Outcome.Skipped("needs the retention that the API states, in a header or by --retention");
        }
        return retention.compareTo(probe.settings().waits().patience()) > 0
                ? new Outcome.Skipped(
                        "the retention is too long to be waited for; test with a short one, or raise --patience")
                : check.apply(retention);
    }

    /** Whether a header says until when, or for how long, a key is kept. */
    static boolean isStatement(Header header) {
        String name = header.name().toLowerCase(Locale.ROOT);
        return name.contains("idempoten")
                && (name.contains("expire")
                        || name.contains("until")
                        || name.contains("retention")
                        || name.contains("ttl"));
    }

    /** What a header of an answer states: a number of seconds, or a time after that of the answer. Null without one. */
    private static @Nullable Duration stated(Answer answer) {
        for (Header header : answer.headers()) {
            if (isStatement(header)) {
                Duration stated = header.value().matches("[0-9]{1,9}")
                        ? Duration.ofSeconds(Long.parseLong(header.value()))
                        : answer.first("Date")
                                .map(date -> between(date, header.value()))
                                .orElse(null);
                if (stated != null && !stated.isNegative() && !stated.isZero()) {
                    return stated;
                }
            }
        }
        return null;
    }

    private static @Nullable Duration between(String from, String until) {
        try {
            return Duration.between(
                    ZonedDateTime.parse(from, DateTimeFormatter.RFC_1123_DATE_TIME),
                    ZonedDateTime.parse(until, DateTimeFormatter.RFC_1123_DATE_TIME));
        } catch (DateTimeException e) {
            return null;
        }
    }
}
