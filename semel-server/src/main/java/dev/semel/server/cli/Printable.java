package dev.semel.server.cli;

/** Text from a store, as it may be printed on a terminal: nothing that is invisible, and nothing that moves the cursor. */
final class Printable {

    private Printable() {}

    /** The text on one line, with what cannot be seen written as an escape. */
    static String text(String stored) {
        StringBuilder out = new StringBuilder(stored.length());
        stored.codePoints().forEach(c -> append(out, c, false));
        return out.toString();
    }

    /**
     * The text as a word of a command line, to be copied into one: as it is where that means the same to a shell, otherwise
     * in the quotes {@code $'…'} of bash and zsh.
     */
    static String word(String stored) {
        if (stored.matches("[A-Za-z0-9_./:@%+,=-]+")) {
            return stored;
        }
        StringBuilder out = new StringBuilder("$'");
        stored.codePoints().forEach(c -> append(out, c, true));
        return plainOrQuoted(stored, out.append('\'').toString());
    }

    /** Ordinary quotes are easier to read, where they will do. */
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
