package dev.semel.server.cli;

import java.util.Locale;

/** One thing that was looked at, and whether it is as it should be. */
record Finding(Verdict verdict, String text) {

    /** How bad it is. */
    enum Verdict {
        OK,
        NOTE,
        UNSAFE
    }

    static Finding good(String text) {
        return new Finding(Verdict.OK, text);
    }

    /** Something to weigh; no reason not to start. */
    static Finding note(String text) {
        return new Finding(Verdict.NOTE, text);
    }

    static Finding bad(String text) {
        return new Finding(Verdict.UNSAFE, text);
    }

    boolean isBad() {
        return verdict == Verdict.UNSAFE;
    }

    /** What is bad stands out. */
    String line() {
        String word = isBad() ? verdict.name() : verdict.name().toLowerCase(Locale.ROOT);
        return String.format("  %-8s%s", word, text);
    }
}
