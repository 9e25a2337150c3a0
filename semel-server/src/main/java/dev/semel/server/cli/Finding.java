package dev.semel.server.cli;

/** One thing that was looked at, and whether it is as it should be. */
record Finding(boolean good, String text) {

    static Finding good(String text) {
        return new Finding(true, text);
    }

    static Finding bad(String text) {
        return new Finding(false, text);
    }

    String line() {
        return (good ? "  ok      " : "  UNSAFE  ") + text;
    }
}
