package dev.semel.jdbc.postgresql;

import dev.semel.jdbc.internal.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The index for searches of a store that was created without it, or with the one of earlier releases.
 *
 * <ol>
 *   <li>It is built while others write, outside of a transaction. Only one process builds it: the name is taken at once.
 *   <li>A build that was cut off leaves an index that is not valid: it is dropped and built again, unless another process is
 *       still at it.
 *   <li>Then the earlier one is dropped, which would cost every claim.
 * </ol>
 *
 * <p>Requests do not need it, so that a start goes on without it, and searches are refused until a later start has added it.
 */
final class PostgresSearchIndex {

    static final String NAME = "semel_record_search";

    /** Has a row when searches can use it. */
    static final String USABLE =
            "SELECT FROM pg_index i WHERE i.indexrelid = to_regclass('" + NAME + "') AND i.indisvalid";

    private static final System.Logger LOG = System.getLogger("dev.semel.jdbc");

    /** Building waits for every transaction that began before it: longer than requests take, shorter than a start may hang. */
    private static final String MAX_WAIT = "60s";

    private static final String ADD = Sql.file("postgresql/search-index.sql");
    private static final String DROP = "DROP INDEX CONCURRENTLY IF EXISTS ";
    private static final String EARLIER = "semel_record_claimed";

    /** A process that builds an index of the table has locked it so; so has a vacuum, after which a later start builds. */
    private static final String STATE = "SELECT EXISTS (" + USABLE + ") AS usable,"
            + " to_regclass('" + NAME + "') IS NOT NULL AS present,"
            + " to_regclass('" + EARLIER + "') IS NOT NULL AS earlier,"
            + " EXISTS (SELECT FROM pg_locks l WHERE l.relation = to_regclass('semel_record') AND l.granted"
            + " AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())"
            + " AND l.mode = 'ShareUpdateExclusiveLock') AS locked,"
            + " (SELECT c.relkind = 'p' FROM pg_class c WHERE c.oid = to_regclass('semel_record')) AS partitioned,"
            + " current_setting('lock_timeout') AS lock_timeout";

    private PostgresSearchIndex() {}

    private record State(
            boolean usable, boolean present, boolean earlier, boolean locked, boolean partitioned, String lockTimeout) {

        /** The server refuses to work on an index of all partitions while others write. */
        String forTable(String sql) {
            return partitioned ? sql.replace(" CONCURRENTLY", "") : sql;
        }
    }

    /** @param statement of a connection that is in no transaction */
    static void add(Statement statement) throws SQLException {
        State state = state(statement);
        if ((state.usable() && !state.earlier()) || (state.present() && !state.usable() && state.locked())) {
            return;
        }
        statement.execute("SET lock_timeout = '" + MAX_WAIT + "'");
        try {
            change(statement, state);
        } catch (SQLException e) {
            if (!PostgresFaults.isNotAllowed(e)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the indexes for searches were not changed: requests do not need them, and the next start tries"
                                + " again; `semel schema postgresql` prints what to run instead",
                        e);
            }
        } finally {
            statement.execute("SET lock_timeout = '" + state.lockTimeout() + "'");
        }
    }

    private static void change(Statement statement, State state) throws SQLException {
        if (!state.usable()) {
            if (state.present()) {
                statement.execute(state.forTable(DROP + NAME));
            }
            statement.execute(state.forTable(ADD));
        }
        if (state.earlier()) {
            statement.execute(state.forTable(DROP + EARLIER));
        }
    }

    private static State state(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(STATE)) {
            row.next();
            return new State(
                    row.getBoolean("usable"),
                    row.getBoolean("present"),
                    row.getBoolean("earlier"),
                    row.getBoolean("locked"),
                    row.getBoolean("partitioned"),
                    row.getString("lock_timeout"));
        }
    }
}
