package dev.semel.torture;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How many writes of attempts shared their commits, as the tables tell.
 *
 * @param writes of which the tables tell the commit
 * @param commits that carried them
 * @param most writes that one commit carried
 */
record Sharing(int writes, int commits, int most) {

    /**
     * Counts.
     *
     * @param commits a query with a row for each commit: how many writes it carried
     */
    static Sharing in(Connection connection, String commits) throws SQLException {
        String sql = "SELECT COALESCE(SUM(writes), 0), COUNT(*), COALESCE(MAX(writes), 0) FROM (" + commits + ") c";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return new Sharing(row.getInt(1), row.getInt(2), row.getInt(3));
        }
    }

    @Override
    public String toString() {
        return String.format(
                "%d writes in %d commits: %.1f in each, %d in the largest",
                writes, commits, commits == 0 ? 0 : (double) writes / commits, most);
    }
}
