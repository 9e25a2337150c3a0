package dev.semel.jdbc.mysql;

import dev.semel.jdbc.internal.Sql;
import java.util.Collections;

/**
 * SQL with a part that is repeated for every row: {@code [[(?, ?)|, ]]} becomes {@code (?, ?), (?, ?)} for two.
 *
 * @param before what comes before the part
 * @param part what is said of one row
 * @param separator what stands between two rows
 * @param after what comes after the part
 */
record MultiRow(String before, String part, String separator, String after) {

    /** Reads it from a file of this package. */
    static MultiRow file(String path) {
        String sql = Sql.file(path);
        int start = sql.indexOf("[[");
        int bar = sql.lastIndexOf('|');
        int end = sql.indexOf("]]", bar);
        return new MultiRow(
                sql.substring(0, start),
                sql.substring(start + 2, bar),
                sql.substring(bar + 1, end),
                sql.substring(end + 2));
    }

    /** The SQL for so many rows. */
    String of(int rows) {
        return before + String.join(separator, Collections.nCopies(rows, part)) + after;
    }
}
