package dev.semel.server.check.subject;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits a command as a shell does: quotes, backslashes, and lines that end with one. Variables are not replaced. */
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
            if (quote == '\'' ? c == '\'' : quote == '"' && c == '"') {
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

    private static StringBuilder begun(@Nullable StringBuilder word) {
        return word == null ? new StringBuilder() : word;
    }
}
