package dev.semel.jdbc;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.jdbc.PostgresQuery.Part;
import dev.semel.spi.Changes;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.Transitions;
import dev.semel.spi.Transitions.ClaimDecision;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The verbs that many callers share: one statement for all their questions, and for each answer the question's position.
 *
 * <p>Questions are given in the order of their identities.
 */
final class PostgresBatch {

    private static final String CLAIM = Sql.file("postgresql/claim.sql");
    private static final String CLAIM_AGAIN = Sql.file("postgresql/claim-again.sql");
    private static final String SETTLE = Sql.file("postgresql/settle.sql");
    private static final String RENEW = Sql.file("postgresql/renew.sql");
    private static final String FIND = Sql.file("postgresql/find.sql");

    private PostgresBatch() {}

    /** The answer to the question at this position, counted from zero. */
    record Answered<A>(int position, A answer) {}

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
     * <p>The claims come first: they may wait for whoever settles, and nobody who settles waits for them.
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
     * Answers claims of known keys by their records, and grants claims of the others if they have none. Positions count on
     * from the known to the others and to the settlements. Empty where a record has to be written: {@link #claimAgain} does.
     * No holder may come twice: by it the rows of new records are told apart; nor may a lease.
     */
    static PostgresQuery<Answered<Optional<?>>> write(Writes writes) {
        List<Part<Answered<Optional<?>>>> parts = new ArrayList<>();
        List<ClaimRequest> known = writes.known();
        if (!known.isEmpty()) {
            List<Identity> identities =
                    known.stream().map(ClaimRequest::identity).toList();
            parts.add(new Part<>(FIND, arguments -> identities(arguments, identities), row -> judged(row, known, 0)));
        }
        List<ClaimRequest> others = writes.others();
        if (!others.isEmpty()) {
            Map<String, Integer> positions = new HashMap<>();
            for (ClaimRequest request : others) {
                positions.put(request.holder(), positions.size());
            }
            parts.add(new Part<>(
                    CLAIM,
                    arguments -> requests(arguments, others),
                    row -> row.getInt("position") == 0
                            ? granted(row, others, positions, known.size())
                            : judged(row, others, known.size())));
        }
        List<Settling> settlements = writes.settlements();
        if (!settlements.isEmpty()) {
            int before = known.size() + others.size() - 1;
            parts.add(new Part<>(
                    SETTLE,
                    arguments -> settlements(arguments, settlements),
                    row -> new Answered<>(before + row.getInt("position"), Optional.of(PostgresQuery.settled(row)))));
        }
        return new PostgresQuery<>(writes.verb(), parts);
    }

    private static Answered<Optional<?>> judged(ResultSet row, List<ClaimRequest> requests, int before)
            throws SQLException {
        int position = row.getInt("position") - 1;
        StoredRecord record = PostgresQuery.record(row);
        ClaimDecision decision = Transitions.onClaim(record, requests.get(position));
        return new Answered<>(before + position, Optional.ofNullable(Verbs.answer(decision, record)));
    }

    private static Answered<Optional<?>> granted(
            ResultSet row, List<ClaimRequest> requests, Map<String, Integer> positions, int before)
            throws SQLException {
        Integer position = positions.get(row.getString("holder"));
        if (position == null) {
            throw new SQLException("a claim was granted that nobody made");
        }
        Instant at = row.getObject("at", OffsetDateTime.class).toInstant();
        StoredRecord granted = Changes.granted(requests.get(position), row.getLong("fence"), at);
        return new Answered<>(before + position, Optional.of(new ClaimAnswer.Granted(granted)));
    }

    static PostgresQuery<Answered<ClaimAnswer>> claimAgain(List<ClaimRequest> requests) {
        return new PostgresQuery<>(
                "claim", CLAIM_AGAIN, arguments -> requests(arguments, requests), PostgresBatch::claimedAgain);
    }

    private static Answered<ClaimAnswer> claimedAgain(ResultSet row) throws SQLException {
        StoredRecord record = PostgresQuery.record(row);
        ClaimDecision decision = ClaimDecision.valueOf(row.getString("decision").toUpperCase(Locale.ROOT));
        ClaimAnswer answer = switch (decision) {
            case GRANT_NEW, GRANT_AGAIN, GRANT_SAME -> new ClaimAnswer.Granted(record);
            case BECOME_UNKNOWN, ANSWER_UNKNOWN -> new ClaimAnswer.Unknown(record);
            case ANSWER_MISMATCH -> new ClaimAnswer.Mismatch(record);
            case ANSWER_RECORDED -> new ClaimAnswer.Recorded(record);
            case ANSWER_BUSY -> new ClaimAnswer.Busy(record.leaseRemaining());
        };
        return new Answered<>(row.getInt("position") - 1, answer);
    }

    private static Arguments requests(Arguments arguments, List<ClaimRequest> requests) throws SQLException {
        return identities(
                        arguments, requests.stream().map(ClaimRequest::identity).toList())
                .texts(requests, ClaimRequest::operation)
                .texts(requests, request -> request.fingerprint().value())
                .numbers(requests, request -> Micros.of(request.lease()))
                .flags(requests, ClaimRequest::reexecutable)
                .texts(requests, ClaimRequest::holder);
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

    /** No lease may come twice. */
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
        return new PostgresQuery<>(
                "find",
                FIND,
                arguments -> identities(arguments, identities),
                row -> new Answered<>(row.getInt("position") - 1, PostgresQuery.record(row)));
    }

    private static Arguments leases(Arguments arguments, List<Lease> leases) throws SQLException {
        return identities(arguments, leases.stream().map(Lease::identity).toList())
                .numbers(leases, Lease::fence);
    }

    private static Arguments identities(Arguments arguments, List<Identity> identities) throws SQLException {
        return arguments
                .texts(identities, identity -> identity.scope().value())
                .texts(identities, identity -> identity.key().value());
    }
}
