package dev.semel.jdbc.sqlite;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The fences that one store gives: each above all that it gave before, also those whose transactions were rolled back.
 *
 * <p>A rollback also sets the counter in the file back, so the highest fence is kept here, too. Other stores on the file
 * do not see it, and may give the fence of a claim that was rolled back to another claim.
 */
final class SqliteFences {

    private final AtomicLong highest = new AtomicLong();

    /** Takes so many fences, under the write lock, and returns the last of them. */
    long take(SqliteRecords records, int count) throws SQLException {
        long last = records.takeFencesAbove(highest.get(), count);
        highest.accumulateAndGet(last, Math::max);
        return last;
    }
}
