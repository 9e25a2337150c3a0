package dev.semel.jdbc.postgresql;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Response;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.internal.Verbs;
import dev.semel.jdbc.postgresql.PostgresBatch.Answered;
import dev.semel.jdbc.postgresql.PostgresBatch.Written;
import dev.semel.jdbc.postgresql.PostgresQuery.Part;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.Transitions;
import dev.semel.spi.Transitions.ClaimDecision;
import dev.semel.spi.Transitions.Deleted;
import java.nio.ByteBuffer;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The statements of claims, and which of them a batch needs: {@code claim-one.sql} or {@code claim.sql} for keys without a time,
 * {@code claim-timed.sql} where a key has one, and {@code unclaim.sql} after it where tombstones are kept; {@code
 * claim-within.sql} or {@code record-within.sql} in a transaction of the application's.
 */
final class PostgresClaims {

    private static final String CLAIM = Sql.file("postgresql/claim.sql");
    private static final String CLAIM_ONE = Sql.file("postgresql/claim-one.sql");
    private static final String CLAIM_WITHIN = Sql.file("postgresql/claim-within.sql");
    private static final String RECORD_WITHIN = Sql.file("postgresql/record-within.sql");
    private static final String CLAIM_AGAIN = Sql.file("postgresql/claim-again.sql");
    private static final String CLAIM_TIMED = Sql.file("postgresql/claim-timed.sql");
    private static final String UNCLAIM = Sql.file("postgresql/unclaim.sql");
    private static final String UNCLAIM_ONE = Sql.ofOne(UNCLAIM);

    private static final String LAST_DELETION = "coalesce(pg_sequence_last_value('semel_deleted'), 0)";

    /** The end of a key that has none: the year 9999. */
    private static final long NEVER = 253_402_300_799_000_000L;

    private final TombstoneTable tombstones;
    private final String claimTimed;
    private final String claimOneTimed;

    PostgresClaims(TombstoneTable tombstones) {
        this.tombstones = tombstones;
        this.claimTimed = tombstones.present() ? CLAIM_TIMED : CLAIM_TIMED.replace(LAST_DELETION, "0");
        this.claimOneTimed = Sql.ofOne(claimTimed);
    }

    /** Statements that answer claims of known keys by their records, and grant claims of the others if they have none. */
    List<Part<Written>> parts(List<ClaimRequest> known, List<ClaimRequest> others) {
        List<Part<Written>> parts = new ArrayList<>();
        if (!known.isEmpty()) {
            parts.add(judging(known, 0));
        }
        if (others.stream().anyMatch(request -> request.firstUse().isTimed())) {
            parts.add(claiming(
                    others.size() == 1 ? claimOneTimed : claimTimed, others.size() == 1, others, known.size()));
        } else if (others.size() == 1) {
            parts.add(new Part<>(
                    CLAIM_ONE,
                    true,
                    arguments -> requests(arguments, others),
                    row -> granted(row, others.get(0), known.size())));
            parts.add(judging(others, known.size()));
        } else if (!others.isEmpty()) {
            parts.add(claiming(CLAIM, false, others, known.size()));
        }
        if (others.stream().anyMatch(this::asksForTombstone)) {
            parts.add(unclaiming(others, known.size()));
        }
        return parts;
    }

    private boolean asksForTombstone(ClaimRequest request) {
        return tombstones.keepsTombstones() && request.firstUse().refusesExpired(true);
    }

    /** Reads records, and what they say to these claims. */
    private Part<Written> judging(List<ClaimRequest> requests, int before) {
        boolean one = requests.size() == 1;
        List<Identity> identities =
                requests.stream().map(ClaimRequest::identity).toList();
        return new Part<>(
                one ? PostgresBatch.FIND_ONE : PostgresBatch.FIND,
                one,
                arguments -> PostgresBatch.identities(arguments, identities),
                row -> judged(row, requests, before));
    }

    private Part<Written> claiming(String sql, boolean one, List<ClaimRequest> requests, int before) {
        Map<String, Integer> positions = new HashMap<>();
        for (ClaimRequest request : requests) {
            positions.put(request.holder(), positions.size());
        }
        boolean timed = !sql.equals(CLAIM);
        return new Part<>(
                sql,
                one,
                timed ? arguments -> timed(arguments, requests) : arguments -> requests(arguments, requests),
                row -> {
                    if (row.getInt("position") > 0) {
                        ClaimAnswer refused = timed ? refusal(row) : null;
                        return refused == null
                                ? judged(row, requests, before)
                                : new Written.Claimed(before + row.getInt("position") - 1, Optional.of(refused));
                    }
                    Integer position = positions.get(row.getString("holder"));
                    if (position == null) {
                        throw new SQLException("a claim was granted that no caller made");
                    }
                    return granted(row, requests.get(position), before + position);
                });
    }

    private static @Nullable ClaimAnswer refusal(ResultSet row) throws SQLException {
        String refused = row.getString("refused");
        if (refused == null) {
            return null;
        }
        return ClaimDecision.valueOf(refused.toUpperCase(Locale.ROOT)) == ClaimDecision.ANSWER_TOO_LATE
                ? new ClaimAnswer.TooLate()
                : new ClaimAnswer.TooEarly();
    }

    private Part<Written> unclaiming(List<ClaimRequest> all, int before) {
        List<ClaimRequest> asking = all.stream().filter(this::asksForTombstone).toList();
        List<Integer> positions = asking.stream().map(all::indexOf).toList();
        boolean one = asking.size() == 1;
        return new Part<>(
                one ? UNCLAIM_ONE : UNCLAIM,
                one,
                arguments -> PostgresBatch.identities(
                                arguments,
                                asking.stream().map(ClaimRequest::identity).toList())
                        .texts(asking, ClaimRequest::holder)
                        .texts(asking, request -> digest(request.identity())),
                row -> new Written.Unclaimed(before + positions.get(row.getInt("position") - 1)));
    }

    private static String digest(Identity identity) {
        ByteBuffer bytes = ByteBuffer.wrap(identity.digest());
        return new UUID(bytes.getLong(), bytes.getLong()).toString();
    }

    private Written judged(ResultSet row, List<ClaimRequest> requests, int before) throws SQLException {
        int position = row.getInt("position") - 1;
        StoredRecord record = PostgresQuery.record(row);
        ClaimDecision decision =
                Transitions.onClaim(record, requests.get(position), Deleted.unread(tombstones.keepsTombstones()));
        return new Written.Claimed(before + position, Optional.ofNullable(Verbs.answer(decision, record)));
    }

    private static Written granted(ResultSet row, ClaimRequest request, int position) throws SQLException {
        return new Written.Claimed(position, Optional.of(grant(row, request)));
    }

    private static ClaimAnswer grant(ResultSet row, ClaimRequest request) throws SQLException {
        Instant at = row.getObject("at", OffsetDateTime.class).toInstant();
        return new ClaimAnswer.Granted(Changes.granted(request, row.getLong("fence"), at));
    }

    /** Claims a key that has no record, within a transaction of the application's; no row where it has one. */
    PostgresQuery<ClaimAnswer> within(ClaimRequest request, long maxWaitMillis) {
        List<ClaimRequest> one = List.of(request);
        return new PostgresQuery<>(
                "claim",
                List.of(new Part<>(
                        CLAIM_WITHIN,
                        true,
                        arguments -> requests(arguments, one).text(Long.toString(maxWaitMillis)),
                        row -> grant(row, request))));
    }

    /** Writes the completed record of a key that has none, within a transaction of the application's; no row where it has one. */
    static PostgresQuery<Lease> record(
            ClaimRequest request, Response response, Duration retention, long maxWaitMillis) {
        return new PostgresQuery<>(
                "record",
                RECORD_WITHIN,
                arguments -> PostgresBatch.identities(arguments.ofOne(true), List.of(request.identity()))
                        .text(request.operation())
                        .text(request.fingerprint().value())
                        .flag(request.reexecutable())
                        .text(request.holder())
                        .duration(retention)
                        .bytes(response.bytes())
                        .text(Long.toString(maxWaitMillis)),
                row -> new Lease(request.identity(), row.getLong("fence")));
    }

    /** Claims records that are there and have to be written. */
    PostgresQuery<Answered<ClaimAnswer>> again(List<ClaimRequest> requests) {
        return new PostgresQuery<>(
                "claim",
                CLAIM_AGAIN,
                arguments -> timed(arguments, requests)
                        .flags(requests, request -> request.firstUse().refusesExpired(tombstones.keepsTombstones())),
                PostgresClaims::claimedAgain);
    }

    private static Answered<ClaimAnswer> claimedAgain(ResultSet row) throws SQLException {
        StoredRecord record = PostgresQuery.record(row);
        ClaimDecision decision = ClaimDecision.valueOf(row.getString("decision").toUpperCase(Locale.ROOT));
        ClaimAnswer answer = switch (decision) {
            case GRANT_NEW, GRANT_AGAIN, GRANT_SAME -> new ClaimAnswer.Granted(record);
            case BECOME_UNKNOWN -> new ClaimAnswer.Unknown(record, true);
            case ANSWER_UNKNOWN -> new ClaimAnswer.Unknown(record, false);
            case ANSWER_MISMATCH -> new ClaimAnswer.Mismatch(record);
            case ANSWER_RECORDED -> new ClaimAnswer.Recorded(record);
            case ANSWER_BUSY -> new ClaimAnswer.Busy(record.leaseRemaining());
            case ANSWER_TOO_LATE -> new ClaimAnswer.TooLate();
            case ANSWER_TOO_EARLY -> new ClaimAnswer.TooEarly();
        };
        return new Answered<>(row.getInt("position") - 1, answer);
    }

    private static Arguments timed(Arguments arguments, List<ClaimRequest> requests) throws SQLException {
        return requests(arguments, requests)
                .numbers(requests, request -> micros(request.firstUse().from(), 0))
                .numbers(requests, request -> micros(request.firstUse().until(), NEVER));
    }

    private static long micros(@Nullable Instant time, long otherwise) {
        return time == null ? otherwise : Math.min(Math.max(0, Micros.of(time)), NEVER);
    }

    private static Arguments requests(Arguments arguments, List<ClaimRequest> requests) throws SQLException {
        return PostgresBatch.identities(
                        arguments, requests.stream().map(ClaimRequest::identity).toList())
                .texts(requests, ClaimRequest::operation)
                .texts(requests, request -> request.fingerprint().value())
                .numbers(requests, request -> Micros.of(request.lease()))
                .flags(requests, ClaimRequest::reexecutable)
                .texts(requests, ClaimRequest::holder);
    }
}
