package dev.semel.server.check.report;

/** Colours of a terminal. */
record Paint(boolean coloured) {

    String bold(String text) {
        return painted("1", text);
    }

    String red(String text) {
        return painted("31", text);
    }

    String green(String text) {
        return painted("32", text);
    }

    String yellow(String text) {
        return painted("33", text);
    }

    String grey(String text) {
        return painted("90", text);
    }

    private String painted(String code, String text) {
        return coloured ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
