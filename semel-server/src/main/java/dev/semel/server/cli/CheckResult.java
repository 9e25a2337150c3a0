package dev.semel.server.cli;

import java.util.Locale;

/** The result of one check by the doctor. */
record CheckResult(Level level, String text) {

    /** How severe it is. */
    enum Level {
        OK,
        NOTE,
        UNSAFE
    }

    static CheckResult good(String text) {
        return new CheckResult(Level.OK, text);
    }

    /** A limit that the operator should be aware of; the store starts. */
    static CheckResult note(String text) {
        return new CheckResult(Level.NOTE, text);
    }

    static CheckResult bad(String text) {
        return new CheckResult(Level.UNSAFE, text);
    }

    boolean isBad() {
        return level == Level.UNSAFE;
    }

    /** Formats the result as a line; the level of a bad one is in capitals. */
    String line() {
        String word = isBad() ? level.name() : level.name().toLowerCase(Locale.ROOT);
        return String.format("  %-8s%s", word, text);
    }
}
