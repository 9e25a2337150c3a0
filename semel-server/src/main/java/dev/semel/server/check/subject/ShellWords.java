package dev.semel.server.check.subject;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits a command as a shell does: quotes, {@code $'…'}, backslashes, and lines that end with one. Variables are not replaced. */
public final class ShellWords {

    private ShellWords() {}

    /**
     * The words of a command.
     *
     * @throws IllegalArgumentException when a quote is not closed
     */
    public static List<String> split(String command) {
        List<String> words = new ArrayList<>();
        @Nullable StringBuilder word = null;
        char quote = 0;
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            if (quote == 0 && command.startsWith("$'", i)) {
                word = begun(word);
                i = unescaped(command, i + 2, word);
            } else if (quote == '\'' ? c == '\'' : quote == '"' && c == '"') {
                quote = 0;
            } else if (quote == '\'') {
                word = begun(word);
                word.append(c);
            } else if (c == '\\' && i + 1 < command.length()) {
                char next = command.charAt(++i);
                if (next != '\n') {
                    word = begun(word);
                    if (quote == '"' && next != '"' && next != '\\' && next != '$') {
                        word.append(c);
                    }
                    word.append(next);
                }
            } else if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
                word = begun(word);
            } else if (quote == 0 && Character.isWhitespace(c)) {
                if (word != null) {
                    words.add(word.toString());
                    word = null;
                }
            } else {
                word = begun(word);
                word.append(c);
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("a quote " + quote + " is not closed in: " + command);
        }
        if (word != null) {
            words.add(word.toString());
        }
        return words;
    }

    /** Reads {@code $'…'}, which browsers write; returns the position of its end. */
    private static int unescaped(String command, int start, StringBuilder word) {
        for (int i = start; i < command.length(); i++) {
            char c = command.charAt(i);
            if (c == '\'') {
                return i;
            }
            if (c != '\\' || i + 1 == command.length()) {
                word.append(c);
                continue;
            }
            char escape = command.charAt(++i);
            int digits = escape == 'u' ? 4 : escape == 'x' ? 2 : 0;
            if (digits > 0 && command.substring(i + 1).matches("(?s)[0-9a-fA-F]{" + digits + "}.*")) {
                word.append((char) Integer.parseInt(command.substring(i + 1, i + 1 + digits), 16));
                i += digits;
            } else {
                word.append(
                        switch (escape) {
                            case 'n' -> '\n';
                            case 'r' -> '\r';
                            case 't' -> '\t';
                            default -> escape;
                        });
            }
        }
        throw new IllegalArgumentException("a quote ' is not closed in: " + command);
    }

    private static StringBuilder begun(@Nullable StringBuilder word) {
        return word == null ? new StringBuilder() : word;
    }
}
