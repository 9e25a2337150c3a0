package dev.semel.jdbc.postgresql;

import dev.semel.Identity;
import dev.semel.jdbc.batch.BatchCall;
import dev.semel.jdbc.batch.OneBatch;
import dev.semel.jdbc.postgresql.PostgresBatch.Renewing;
import dev.semel.jdbc.postgresql.PostgresBatch.Settling;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.util.List;
import java.util.Optional;

/** Calls of a PostgreSQL store that are flushed as one batch. */
final class OnePostgresBatch {

    private OnePostgresBatch() {}

    static List<PostgresCall.Claim> claims(List<ClaimRequest> requests) {
        return requests.stream().map(PostgresCall.Claim::new).toList();
    }

    static List<PostgresCall.Settle> settlements(List<Settling> settlements) {
        return settlements.stream().map(PostgresCall.Settle::new).toList();
    }

    static List<ClaimAnswer> claim(PostgresFlushes flushes, List<ClaimRequest> requests) {
        List<PostgresCall.Claim> calls = claims(requests);
        OneBatch.flush(flushes::write, calls);
        return OneBatch.answers(calls);
    }

    static List<SettleAnswer> settle(PostgresFlushes flushes, List<Settling> settlements) {
        List<PostgresCall.Settle> calls = settlements(settlements);
        OneBatch.flush(flushes::write, calls);
        return OneBatch.answers(calls);
    }

    static List<RenewAnswer> renew(PostgresFlushes flushes, List<Renewing> renewals) {
        List<BatchCall<Renewing, RenewAnswer>> calls = OneBatch.calls(renewals);
        OneBatch.flush(flushes::renew, calls);
        return OneBatch.answers(calls);
    }

    static List<Optional<StoredRecord>> find(PostgresFlushes flushes, List<Identity> identities) {
        List<BatchCall<Identity, Optional<StoredRecord>>> calls = OneBatch.calls(identities);
        OneBatch.flush(flushes::find, calls);
        return OneBatch.answers(calls);
    }
}
