package dev.semel.client;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses {@code Retry-After} (RFC 9110, 10.2.3): seconds, or a date in one of the three formats of HTTP. */
final class RetryAfter {

    private static final Pattern SECONDS = Pattern.compile("[0-9]+");

    /** A number with more digits is longer than any deadline. */
    private static final int MAX_DIGITS = 9;

    /** Longer than any deadline. */
    private static final Duration FOR_EVER = Duration.ofDays(100_000);

    private RetryAfter() {}

    /** Returns the time to wait; empty without the header or if it is malformed, zero if its date has passed. */
    static Optional<Duration> in(HttpHeaders headers, Instant now) {
        Optional<String> value = headers.firstValue("Retry-After").map(String::trim);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        if (SECONDS.matcher(value.get()).matches()) {
            return Optional.of(seconds(value.get()));
        }
        // By the server's own clock, if the response has a date: it may differ from ours.
        Instant serverNow = headers.firstValue("Date")
                .flatMap(date -> instant(date.trim(), now))
                .orElse(now);
        return instant(value.get(), now).map(until -> {
            Duration wait = Duration.between(serverNow, until);
            return wait.isNegative() ? Duration.ZERO : wait;
        });
    }

    private static Duration seconds(String digits) {
        String significant = digits.replaceFirst("^0+(?=.)", "");
        return significant.length() > MAX_DIGITS ? FOR_EVER : Duration.ofSeconds(Long.parseLong(significant));
    }

    private static Optional<Instant> instant(String date, Instant now) {
        return formats(now).stream()
                .flatMap(format -> instant(date, format).stream())
                .findFirst();
    }

    private static Optional<Instant> instant(String date, DateTimeFormatter format) {
        try {
            return Optional.of(LocalDateTime.parse(date, format).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static List<DateTimeFormatter> formats(Instant now) {
        return List.of(
                format("EEE, dd MMM yyyy HH:mm:ss 'GMT'"),
                rfc850(now),
                // asctime pads the day with a space
                format("EEE MMM ppd HH:mm:ss yyyy"));
    }

    private static DateTimeFormatter format(String pattern) {
        return new DateTimeFormatterBuilder()
                .parseCaseInsensitive()
                .appendPattern(pattern)
                .toFormatter(Locale.US);
    }

    /** This format has years of two digits: a year that seems to be over fifty years in the future is in the past. */
    private static DateTimeFormatter rfc850(Instant now) {
        int earliest = now.atOffset(ZoneOffset.UTC).getYear() - 49;
        return new DateTimeFormatterBuilder()
                .parseCaseInsensitive()
                .appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, earliest)
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.US);
    }
}
