package dev.semel.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
        return MANY.matcher(many)
                .replaceFirst(arrays -> "(VALUES (" + arrays.group(1).replace("[]", "") + ", 1))");
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
