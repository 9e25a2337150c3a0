package dev.semel.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The SQL files of this package. */
final class Sql {

    private static final Pattern MANY = Pattern.compile("unnest\\(([^)]*)\\)\\s+WITH ORDINALITY");

    private Sql() {}

    /**
     * A statement on one row instead of one that takes its rows out of arrays: with arguments in place of the arrays, it takes
     * the server half the time to begin.
     */
    static String ofOne(String many) {
        Matcher arrays = MANY.matcher(many);
        if (!arrays.find()) {
            throw new IllegalArgumentException("a statement that takes no rows out of arrays: " + many);
        }
        String values = "(VALUES (" + arrays.group(1).replace("[]", "") + ", 1))";
        return many.substring(0, arrays.start()) + values + many.substring(arrays.end());
    }

    static String file(String path) {
        try (InputStream in = Sql.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("semel-jdbc is incomplete: " + path + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("semel-jdbc cannot read its own file " + path, e);
        }
    }
}
