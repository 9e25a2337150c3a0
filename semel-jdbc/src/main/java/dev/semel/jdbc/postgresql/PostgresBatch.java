package dev.semel.jdbc.postgresql;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.postgresql.PostgresQuery.Part;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.Transitions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The verbs that many callers share: one statement for all their questions, and for each answer the question's position.
 *
 * <p>Questions are given in the order of their identities.
 */
final class PostgresBatch {

    private static final String SETTLE = Sql.file("postgresql/settle.sql");
    private static final String RENEW = Sql.file("postgresql/renew.sql");
    private static final String SETTLE_WITHIN = Sql.file("postgresql/settle-within.sql");
    private static final String SETTLE_ONE = Sql.ofOne(SETTLE);
    static final String FIND = Sql.file("postgresql/find.sql");
    static final String FIND_ONE = Sql.ofOne(FIND);

    private PostgresBatch() {}

    /** The answer to the question at this position, counted from zero. */
    record Answered<A>(int position, A answer) {}

    /** What one row of {@link #write} says. */
    sealed interface Written {

        /**
         * About the claim at this position, counted from the known ones on to the others; empty where a record has to be
         * written, which {@link PostgresClaims#again} does.
         */
        record Claimed(int position, Optional<ClaimAnswer> answer) implements Written {}

        /** The claim at this position, counted alike, was granted and undone again: its key has a tombstone. */
        record Unclaimed(int position) implements Written {}

        /** About the settlement at this position. */
        record Settled(int position, SettleAnswer answer) implements Written {}
    }

    /** A settlement as its caller asked for it. */
    record Settling(Lease lease, Outcome outcome, Duration retention) {
        Settling {
            Micros.require(retention);
        }
    }

    /** A renewal as its caller asked for it. */
    record Renewing(Lease lease, Duration duration) {
        Renewing {
            Micros.require(duration);
        }
    }

    /**
     * What callers want written, in one transaction: claims of keys that are known here, claims of others, settlements.
     *
     * <p>The claims run first: they may wait for settlements of other transactions, and no settlement waits for them.
     */
    record Writes(List<ClaimRequest> known, List<ClaimRequest> others, List<Settling> settlements) {

        static Writes claims(List<ClaimRequest> requests) {
            return new Writes(List.of(), requests, List.of());
        }

        static Writes settlements(List<Settling> settlements) {
            return new Writes(List.of(), List.of(), settlements);
        }

        private String verb() {
            boolean claims = !known.isEmpty() || !others.isEmpty();
            return claims ? settlements.isEmpty() ? "claim" : "claim and settle" : "settle";
        }
    }

    /**
     * Answers claims of known keys by their records, and grants claims of the others if they have none. The first answer to a
     * position counts. No holder may occur twice, since it says which claim a new record is of; nor may a lease.
     */
    static PostgresQuery<Written> write(Writes writes, PostgresClaims claims) {
        List<Part<Written>> parts = new ArrayList<>(claims.parts(writes.known(), writes.others()));
        List<Settling> settlements = writes.settlements();
        if (!settlements.isEmpty()) {
            boolean one = settlements.size() == 1;
            parts.add(new Part<>(
                    one ? SETTLE_ONE : SETTLE,
                    one,
                    arguments -> settlements(arguments, settlements),
                    row -> new Written.Settled(row.getInt("position") - 1, PostgresQuery.settled(row))));
        }
        return new PostgresQuery<>(writes.verb(), parts);
    }

    /** A settlement in the transaction that has claimed; no row where it is refused. */
    static PostgresQuery<SettleAnswer> settleWithin(Settling settling) {
        Outcome outcome = settling.outcome();
        return new PostgresQuery<>(
                "settle",
                SETTLE_WITHIN,
                arguments -> identities(
                                arguments.ofOne(true), List.of(settling.lease().identity()))
                        .number(settling.lease().fence())
                        .text(Transitions.stateOf(outcome).label())
                        .bytes(PostgresQuery.responseOf(outcome))
                        .text(PostgresQuery.storableReasonOf(outcome))
                        .duration(settling.retention()),
                PostgresQuery::settled);
    }

    private static Arguments settlements(Arguments arguments, List<Settling> settlements) throws SQLException {
        return leases(
                        arguments.text(Transitions.LATE_ANSWER.source()).text(Transitions.LATE_ANSWER.detail()),
                        settlements.stream().map(Settling::lease).toList())
                .texts(
                        settlements,
                        settling -> Transitions.stateOf(settling.outcome()).label())
                .byteStrings(settlements, settling -> PostgresQuery.responseOf(settling.outcome()))
                .texts(settlements, settling -> PostgresQuery.storableReasonOf(settling.outcome()))
                .numbers(settlements, settling -> Micros.of(settling.retention()));
    }

    /** No lease may occur twice. */
    static PostgresQuery<Answered<RenewAnswer>> renew(List<Renewing> renewals) {
        return new PostgresQuery<>(
                "renew",
                RENEW,
                arguments -> leases(
                                arguments,
                                renewals.stream().map(Renewing::lease).toList())
                        .numbers(renewals, renewing -> Micros.of(renewing.duration())),
                row -> new Answered<>(row.getInt("position") - 1, RenewAnswer.RENEWED));
    }

    static PostgresQuery<Answered<StoredRecord>> find(List<Identity> identities) {
        boolean one = identities.size() == 1;
        return new PostgresQuery<>(
                "find",
                List.of(new Part<>(
                        one ? FIND_ONE : FIND,
                        one,
                        arguments -> identities(arguments, identities),
                        row -> new Answered<>(row.getInt("position") - 1, PostgresQuery.record(row)))));
    }

    private static Arguments leases(Arguments arguments, List<Lease> leases) throws SQLException {
        return identities(arguments, leases.stream().map(Lease::identity).toList())
                .numbers(leases, Lease::fence);
    }

    static Arguments identities(Arguments arguments, List<Identity> identities) throws SQLException {
        return arguments
                .texts(identities, identity -> identity.scope().value())
                .texts(identities, identity -> identity.key().value());
    }
}
