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

    /** Takes the next fence, under the write lock. */
    long next(SqliteRecords records) throws SQLException {
        long fence = records.nextFenceAbove(highest.get());
        highest.accumulateAndGet(fence, Math::max);
        return fence;
    }
}
