package dev.semel.jdbc.sqlite;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.internal.Sql;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.reconcile.StoredRecord.Times;
import dev.semel.spi.Changes;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The first look of a claim at its key: whether there is a record, and the record itself where it is one that is replayed.
 *
 * @param found whether there is a record
 * @param record null where there is none, and where it has to be read by {@link SqliteRecords#find}
 */
record SqliteLook(boolean found, @Nullable StoredRecord record) {

    private static final String LOOK =
            Sql.file("sqlite/look.sql").replace(":clock", "(\n" + SqliteConnection.CLOCK + "\n)");

    private static final SqliteLook NOTHING = new SqliteLook(false, null);
    private static final SqliteLook TO_BE_READ = new SqliteLook(true, null);

    static SqliteLook at(SqliteConnection connection, Identity identity) throws SQLException {
        PreparedStatement statement = connection.prepare(LOOK);
        new Arguments(statement)
                .text(identity.scope().value())
                .text(identity.key().value());
        try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return NOTHING;
            }
            String completed = row.getString(1);
            String holder = row.getString(2);
            return completed == null || holder == null
                    ? TO_BE_READ
                    : new SqliteLook(true, new Parts(completed).record(identity, holder, row.getBytes(3)));
        }
    }

    /** What stands between the spaces of the first column, from left to right. */
    private static final class Parts {

        private final String text;
        private int at;

        Parts(String text) {
            this.text = text;
        }

        StoredRecord record(Identity identity, String holder, byte @Nullable [] response) {
            Instant now = instant();
            Times times = new Times(now, instant(), instant(), instant(), null, null, instant());
            long fence = number();
            int attempts = (int) number();
            boolean reexecutable = number() != 0;
            Fingerprint fingerprint = new Fingerprint(next());
            StoredRecord stored = new StoredRecord(
                    identity,
                    text.substring(at),
                    fingerprint,
                    State.COMPLETED,
                    fence,
                    attempts,
                    reexecutable,
                    holder,
                    times,
                    response == null ? null : Response.of(response),
                    null,
                    null,
                    Steps.NONE,
                    null);
            return Changes.asOf(stored, now);
        }

        private Instant instant() {
            return Micros.instant(number());
        }

        private long number() {
            return Long.parseLong(next());
        }

        private String next() {
            int end = text.indexOf(' ', at);
            String part = text.substring(at, end);
            at = end + 1;
            return part;
        }
    }
}
