package dev.semel.server.cli;

/** Makes text from a store safe to print on a terminal: invisible characters are escaped. */
final class Printable {

    private Printable() {}

    /** Returns the text on one line, with invisible characters escaped. */
    static String text(String stored) {
        StringBuilder out = new StringBuilder(stored.length());
        stored.codePoints().forEach(c -> append(out, c, false));
        return out.toString();
    }

    /**
     * Returns the text as a shell word that can be copied into a command: unchanged if a shell reads it as such, otherwise in
     * quotes, if necessary the {@code $'…'} of bash and zsh.
     */
    static String word(String stored) {
        if (stored.matches("[A-Za-z0-9_./:@%+,=-]+")) {
            return stored;
        }
        StringBuilder out = new StringBuilder("$'");
        stored.codePoints().forEach(c -> append(out, c, true));
        return plainOrQuoted(stored, out.append('\'').toString());
    }

    /** Prefers ordinary quotes where they suffice. */
    private static String plainOrQuoted(String stored, String escaped) {
        return escaped.equals("$'" + stored + "'") ? "'" + stored + "'" : escaped;
    }

    private static void append(StringBuilder out, int c, boolean quoted) {
        if (c == '\n') {
            out.append("\\n");
        } else if (!isVisible(c)) {
            out.append(c > 0xFFFF ? String.format("\\U%08X", c) : String.format("\\u%04X", c));
        } else if (quoted && (c == '\'' || c == '\\')) {
            out.append('\\').appendCodePoint(c);
        } else {
            out.appendCodePoint(c);
        }
    }

    private static boolean isVisible(int c) {
        if (c == ' ') {
            return true;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK -> false;
            default -> true;
        };
    }
}
