package dev.semel.jdbc.postgresql;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.postgresql.PostgresBatch.Answered;
import dev.semel.jdbc.postgresql.PostgresBatch.Settling;
import dev.semel.jdbc.postgresql.PostgresBatch.Writes;
import dev.semel.jdbc.postgresql.PostgresBatch.Written;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A claim within a transaction of the application's, on its connection alone. One round trip claims, and one settles.
 *
 * <ol>
 *   <li>A savepoint, the claim of a key that is likely new ({@code claim-within.sql}), and a second savepoint where the work
 *       begins. While it waits, {@code lock_timeout} is what the claim may wait: the row of a claim that has not committed blocks
 *       every other claim of its key.
 *   <li>A key that has a record, was seen here lately, or may be used at certain times only: the statements of the store
 *       itself, with planner settings that let the session keep their plans. The transaction's own values are kept in settings of
 *       the name {@code semel.…} meanwhile, and set again before the second savepoint. A round in which nothing was decided is
 *       undone to the first savepoint, with the lock that it may have got, and repeated.
 *   <li>Not granted: back to the first savepoint, unless the claim has turned the record unknown.
 *   <li>Late work claims nothing. {@link #record} writes the whole record ({@code record-within.sql}), without savepoints.
 *   <li>The settlement ({@code settle-within.sql}) releases the savepoints, so that a transaction of many claims does not keep
 *       them all.
 * </ol>
 */
final class PostgresTransaction implements StoreTransaction {

    /** As in planning.sql: a plan that is kept has to suit a table that grows. Each with what our statements need. */
    private static final Map<String, String> PLANNING = new TreeMap<>(Map.of(
            "plan_cache_mode", "force_generic_plan",
            "enable_seqscan", "off",
            "enable_hashjoin", "off",
            "enable_mergejoin", "off"));

    static final String KEEP_PLANS = "SELECT "
            + PLANNING.entrySet().stream()
                    .map(each -> kept(each.getKey()) + ", " + set(each.getKey(), "'" + each.getValue() + "'"))
                    .collect(Collectors.joining(", "));

    private static final String RESTORE_PLANS = "SELECT "
            + PLANNING.keySet().stream().map(PostgresTransaction::restored).collect(Collectors.joining(", "));

    private static final String RESTORE_WAIT = "SELECT " + restored("lock_timeout");

    private static final String SAVEPOINT_GONE = "3B001";

    /**
     * Above READ COMMITTED the tombstone of a record that was deleted since this transaction began is not seen: a claim that may
     * be one of these divides by zero. Nothing is granted then.
     */
    private static final String SEES_TOMBSTONES =
            "SELECT 1 / (current_setting('transaction_isolation') = 'read committed'"
                    + " OR coalesce(pg_sequence_last_value('semel_deleted'), 0)"
                    + " < extract(epoch FROM transaction_timestamp()) * 1000000)::integer";

    private final Connection connection;
    private final TombstoneTable tombstones;
    private final SeenKeys seen;
    private final PostgresClaims claims;
    private final OpenClaims.Place place;
    private final long maxWaitMillis;
    private final List<String> settings;
    private final String claimSavepoint;
    private final String workSavepoint;
    private boolean granted;
    private boolean undone;
    private boolean savepointsGone;

    private PostgresTransaction(Connection connection, long maxWaitMillis, TombstoneTable tombstones, SeenKeys seen) {
        this.connection = connection;
        this.maxWaitMillis = maxWaitMillis;
        this.tombstones = tombstones;
        this.seen = seen;
        this.claims = new PostgresClaims(tombstones);
        this.place = OpenClaims.on(connection);
        this.settings = List.of(
                KEEP_PLANS, "SELECT " + kept("lock_timeout") + ", " + set("lock_timeout", "'" + maxWaitMillis + "'"));
        this.claimSavepoint = "semel_claim_" + place.number();
        this.workSavepoint = "semel_work_" + place.number();
    }

    /** For the rest of the transaction, or until it is rolled back to an earlier savepoint. */
    private static String set(String name, String value) {
        return "set_config('" + name + "', " + value + ", true)";
    }

    private static String kept(String name) {
        return set("semel." + name, "current_setting('" + name + "')");
    }

    private static String restored(String name) {
        return set(name, "current_setting('semel." + name + "')");
    }

    static PostgresTransaction on(Connection connection, Duration maxWait, TombstoneTable tombstones, SeenKeys seen) {
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException("a wait of " + maxWait + ": give zero or more");
        }
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException("this connection commits every statement by itself:"
                        + " call setAutoCommit(false) before, and commit() when all is done");
            }
        } catch (SQLException e) {
            throw PostgresFaults.inTransaction("begin", e);
        }
        return new PostgresTransaction(connection, millis(maxWait), tombstones, seen);
    }

    /** At least one, since zero means for ever; at most what the setting can hold. */
    private static long millis(Duration maxWait) {
        Duration most = Duration.ofMillis(Integer.MAX_VALUE);
        return maxWait.compareTo(most) >= 0 ? Integer.MAX_VALUE : Math.max(1, maxWait.toMillis());
    }

    @Override
    public ClaimAnswer claim(ClaimRequest request) {
        if (granted) {
            throw new IllegalStateException("the claim of " + request.identity() + " was granted here already");
        }
        try {
            boolean likelyNew = canRecord(request);
            for (int round = 0; round < PostgresStatements.MOST_ROUNDS; round++) {
                Optional<ClaimAnswer> answer =
                        likelyNew && round == 0 ? claimNew(request) : judge(List.of(request), round);
                if (answer.isPresent()) {
                    return concluded(answer.get());
                }
            }
        } catch (SQLException e) {
            throw PostgresFaults.inTransaction("claim", e);
        }
        throw PostgresFaults.undecided();
    }

    /** The first round of a key that is likely new; empty when it has a record. */
    private Optional<ClaimAnswer> claimNew(ClaimRequest request) throws SQLException {
        try {
            return claims
                    .within(request, maxWaitMillis)
                    .within(connection, List.of("SAVEPOINT " + claimSavepoint), List.of("SAVEPOINT " + workSavepoint))
                    .stream()
                    .findFirst();
        } catch (SQLException e) {
            return undecided(e);
        }
    }

    /** What a fault of a round says; empty where the round is to be repeated. */
    private static Optional<ClaimAnswer> undecided(SQLException fault) throws SQLException {
        if (PostgresFaults.isHeldByAnother(fault)) {
            return Optional.of(new ClaimAnswer.Busy(Duration.ZERO));
        }
        if (PostgresFaults.isUndoneByDeletion(fault)) {
            return Optional.empty();
        }
        throw fault;
    }

    /** One round; empty when another transaction wrote first and nothing was decided. */
    private Optional<ClaimAnswer> judge(List<ClaimRequest> request, int round) throws SQLException {
        List<String> before = new ArrayList<>();
        before.add((round == 0 ? "SAVEPOINT " : "ROLLBACK TO SAVEPOINT ") + claimSavepoint);
        before.addAll(settings);
        List<String> after = List.of(RESTORE_PLANS, RESTORE_WAIT, "SAVEPOINT " + workSavepoint);
        try {
            List<Written> rows = PostgresBatch.write(Writes.claims(request), claims)
                    .within(connection, before, checked(request.get(0), after));
            if (rows.isEmpty()) {
                return Optional.empty();
            }
            if (rows.stream().anyMatch(Written.Unclaimed.class::isInstance)) {
                return Optional.of(new ClaimAnswer.TooLate());
            }
            Optional<ClaimAnswer> answer =
                    rows.get(0) instanceof Written.Claimed claimed ? claimed.answer() : Optional.empty();
            return answer.isPresent()
                    ? answer
                    : claims.again(request).within(connection, settings, after).stream()
                            .map(Answered::answer)
                            .findFirst();
        } catch (SQLException e) {
            return undecided(e);
        }
    }

    private boolean asksForTombstone(ClaimRequest request) {
        return tombstones.keepsTombstones() && request.firstUse().refusesExpired(true);
    }

    private List<String> checked(ClaimRequest request, List<String> after) {
        if (!asksForTombstone(request)) {
            return after;
        }
        List<String> checked = new ArrayList<>(List.of(SEES_TOMBSTONES));
        checked.addAll(after);
        return checked;
    }

    private ClaimAnswer concluded(ClaimAnswer answer) throws SQLException {
        if (answer instanceof ClaimAnswer.Granted) {
            granted = true;
        } else if (answer instanceof ClaimAnswer.Unknown) {
            release();
        } else {
            undoToClaim();
        }
        return answer;
    }

    /** Once for each key: a retry is claimed. */
    @Override
    public boolean canRecord(ClaimRequest request) {
        if (request.firstUse().isTimed() || asksForTombstone(request) || seen.contains(request.identity())) {
            return false;
        }
        seen.add(request.identity());
        return true;
    }

    @Override
    public Optional<Lease> record(ClaimRequest request, Response response, Duration retention) {
        return attempt("record", () -> {
            try {
                return PostgresClaims.record(request, response, retention, maxWaitMillis)
                        .within(connection, List.of(), List.of())
                        .stream()
                        .findFirst();
            } catch (SQLException e) {
                if (PostgresFaults.isHeldByAnother(e) || PostgresFaults.isNothingDecided(e)) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    @Override
    public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
        return attempt("settle", () -> {
            try {
                return settleOnce(new Settling(lease, outcome, retention));
            } catch (SQLException e) {
                if (PostgresFaults.isUndoneByDeletion(e) || SAVEPOINT_GONE.equals(e.getSQLState())) {
                    return new SettleAnswer.Refused(Optional.empty());
                }
                throw e;
            }
        });
    }

    private SettleAnswer settleOnce(Settling settling) throws SQLException {
        if (!undone) {
            List<String> after = savepointsGone ? List.of() : List.of("RELEASE SAVEPOINT " + claimSavepoint);
            List<SettleAnswer> answers = PostgresBatch.settleWithin(settling).within(connection, List.of(), after);
            savepointsGone();
            if (!answers.isEmpty()) {
                return answers.get(0);
            }
        }
        return new SettleAnswer.Refused(
                PostgresBatch.find(List.of(settling.lease().identity()))
                        .within(connection, List.of(KEEP_PLANS), List.of(RESTORE_PLANS))
                        .stream()
                        .map(Answered::answer)
                        .findFirst());
    }

    @Override
    public void undoWork() {
        attempt("undo the work", () -> execute("ROLLBACK TO SAVEPOINT " + workSavepoint));
    }

    @Override
    public void undoClaim() {
        attempt("undo the claim", this::undoToClaim);
    }

    /** Takes {@code lock_timeout} back too, which was set after the savepoint. */
    private int undoToClaim() throws SQLException {
        int done = execute("ROLLBACK TO SAVEPOINT " + claimSavepoint, "RELEASE SAVEPOINT " + claimSavepoint);
        undone = true;
        savepointsGone();
        return done;
    }

    private void release() throws SQLException {
        execute("RELEASE SAVEPOINT " + claimSavepoint);
        savepointsGone();
    }

    /** The savepoints are released or undone: their number is free for another claim. */
    private void savepointsGone() {
        savepointsGone = true;
        place.leave();
    }

    /** Something done on the connection. */
    private interface Action<T> {
        T run() throws SQLException;
    }

    private static <T> T attempt(String verb, Action<T> action) throws StoreException {
        try {
            return action.run();
        } catch (SQLException e) {
            throw PostgresFaults.inTransaction(verb, e);
        }
    }

    /** One round trip for all of them. */
    private int execute(String... commands) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(String.join("; ", commands));
            return commands.length;
        }
    }
}
