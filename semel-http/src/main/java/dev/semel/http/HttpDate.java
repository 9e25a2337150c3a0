package dev.semel.http;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Dates as HTTP writes them (IMF-fixdate), up to the year 9999. Every protected response has one, so no formatter is asked. */
final class HttpDate {

    private static final String DAYS = "MonTueWedThuFriSatSun";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final int LENGTH = 29;

    private HttpDate() {}

    /** The second in which this moment lies, such as {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
    static String of(Instant moment) {
        LocalDateTime at = LocalDateTime.ofEpochSecond(moment.getEpochSecond(), 0, ZoneOffset.UTC);
        int day = 3 * (at.getDayOfWeek().getValue() - 1);
        int month = 3 * (at.getMonthValue() - 1);
        StringBuilder text = new StringBuilder(LENGTH);
        text.append(DAYS, day, day + 3).append(", ");
        addTwoDigits(text, at.getDayOfMonth());
        text.append(' ').append(MONTHS, month, month + 3).append(' ');
        addTwoDigits(text, at.getYear() / 100);
        addTwoDigits(text, at.getYear() % 100);
        text.append(' ');
        addTwoDigits(text, at.getHour());
        text.append(':');
        addTwoDigits(text, at.getMinute());
        text.append(':');
        addTwoDigits(text, at.getSecond());
        return text.append(" GMT").toString();
    }

    private static void addTwoDigits(StringBuilder text, int number) {
        text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }
}
