package dev.semel.jdbc.mysql;

import dev.semel.jdbc.internal.Sql;
import java.util.Collections;

/**
 * SQL with a part that is repeated for every row: {@code [[(?, ?)|, ]]} becomes {@code (?, ?), (?, ?)} for two.
 *
 * @param before the SQL before the part
 * @param part the SQL for one row
 * @param separator the SQL between two rows
 * @param after the SQL after the part
 */
record MultiRow(String before, String part, String separator, String after) {

    /** Reads it from a file. */
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
