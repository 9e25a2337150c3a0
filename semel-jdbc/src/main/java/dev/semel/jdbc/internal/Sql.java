package dev.semel.jdbc.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The SQL files of the databases, and the file with the tables of each. */
public final class Sql {

    /** The version of the schema that this release works on. */
    public static final int SCHEMA_VERSION = 1;

    private static final String FOLDER = "/dev/semel/jdbc/";

    private static final Pattern MANY = Pattern.compile("unnest\\(([^)]*)\\)\\s+WITH ORDINALITY");

    private Sql() {}

    /** The tables of a database. */
    public static String schema(String database) {
        return file("schema/" + database + ".sql");
    }

    /**
     * A statement on one row instead of one that takes its rows out of arrays: with arguments in place of the arrays, it takes
     * the server half the time to begin.
     */
    public static String ofOne(String many) {
        Matcher arrays = MANY.matcher(many);
        if (!arrays.find()) {
            throw new IllegalArgumentException("a statement that takes no rows out of arrays: " + many);
        }
        String values = "(VALUES (" + arrays.group(1).replace("[]", "") + ", 1))";
        return many.substring(0, arrays.start()) + values + many.substring(arrays.end());
    }

    /** A file, such as {@code postgresql/claim.sql}. */
    public static String file(String path) {
        try (InputStream in = Sql.class.getResourceAsStream(FOLDER + path)) {
            if (in == null) {
                throw new IllegalStateException("semel-jdbc is incomplete: " + path + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("semel-jdbc cannot read its own file " + path, e);
        }
    }
}
