package dev.semel.jdbc.sqlite;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.jdbc.internal.Verbs;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.Transitions;
import dev.semel.spi.Transitions.ClaimDecision;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The two verbs of almost every request, a claim of a new key and the completion of a record in progress, as one conditional
 * write each, without reading the record first: reading its columns through the driver costs more than writing them.
 *
 * <p>The condition is the decision of {@link Transitions} for that one case. Where it does not hold, nothing is written, and
 * {@link Verbs} reads and decides.
 */
final class SqliteVerbs {

    private SqliteVerbs() {}

    static ClaimAnswer claim(SqliteRecords records, ClaimRequest request) throws SQLException {
        boolean grantsNew =
                Transitions.onAbsent(request, records.deleted(request), records.at()) == ClaimDecision.GRANT_NEW;
        StoredRecord granted = grantsNew ? records.insert(request) : null;
        return granted == null ? Verbs.claim(records, request) : new ClaimAnswer.Granted(granted);
    }

    static SettleAnswer settle(SqliteRecords records, Lease lease, Outcome outcome, Duration retention)
            throws SQLException {
        return outcome instanceof Outcome.Completed completed
                        && records.complete(lease, completed.response(), retention)
                ? new SettleAnswer.Settled(State.IN_PROGRESS)
                : Verbs.settle(records, lease, outcome, retention);
    }
}
