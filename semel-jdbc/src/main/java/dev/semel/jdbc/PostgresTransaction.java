package dev.semel.jdbc;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.jdbc.PostgresBatch.Answered;
import dev.semel.jdbc.PostgresBatch.Settling;
import dev.semel.jdbc.PostgresBatch.Writes;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A claim within a transaction of somebody else's, on its connection alone.
 *
 * <ol>
 *   <li>A savepoint, and {@code lock_timeout} set to what the claim may wait: the row of a claim that has not committed is
 *       in everybody's way. Planner settings let the session keep the plan of the claim, as of the
 *       settlement later.
 *   <li>The claim. A round in which nothing was decided is undone to the savepoint, with the lock that it may have got,
 *       and repeated.
 *   <li>Granted: the settings as they were, and a second savepoint where the work begins. Not granted: back to the
 *       first, unless the claim has turned the record unknown.
 *   <li>The settlement releases the savepoints, lest a transaction of many claims carries them all along.
 * </ol>
 */
final class PostgresTransaction implements StoreTransaction {

    /** As in planning.sql: a plan that is kept has to suit a table that grows. Each with what our statements need. */
    private static final Map<String, String> PLANNING = new TreeMap<>(Map.of(
            "plan_cache_mode", "force_generic_plan",
            "enable_seqscan", "off",
            "enable_hashjoin", "off",
            "enable_mergejoin", "off"));

    private static final String SETTINGS = "SELECT current_setting('lock_timeout') AS lock_timeout, "
            + PLANNING.keySet().stream()
                    .map(name -> "current_setting('" + name + "') AS " + name)
                    .collect(Collectors.joining(", "));

    static final String KEEP_PLANS = set(PLANNING);

    private final Connection connection;
    private final String settings;
    private final String claimSavepoint;
    private final String workSavepoint;
    private String restorePlans = "";
    private boolean granted;

    private PostgresTransaction(Connection connection, long maxWaitMillis) {
        this.connection = connection;
        this.settings = KEEP_PLANS + "; SET LOCAL lock_timeout = " + maxWaitMillis;
        // Unique, so that a claim within the work of another one never undoes that one.
        String name = UUID.randomUUID().toString().replace("-", "");
        this.claimSavepoint = "semel_claim_" + name;
        this.workSavepoint = "semel_work_" + name;
    }

    /** One command for all of them, for the rest of the transaction. */
    private static String set(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(each -> "set_config('" + each.getKey() + "', '" + each.getValue() + "', true)")
                .collect(Collectors.joining(", ", "SELECT ", ""));
    }

    static PostgresTransaction on(Connection connection, Duration maxWait) {
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
        return new PostgresTransaction(connection, millis(maxWait));
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
            String restoreWait = begin();
            for (int round = 0; round < PostgresStatements.MOST_ROUNDS; round++) {
                Optional<ClaimAnswer> answer = judge(List.of(request));
                if (answer.isPresent()) {
                    return ended(answer.get(), restoreWait);
                }
                execute("ROLLBACK TO SAVEPOINT " + claimSavepoint, settings);
            }
        } catch (SQLException e) {
            throw PostgresFaults.inTransaction("claim", e);
        }
        throw PostgresFaults.undecided();
    }

    /** Returns what sets the {@code lock_timeout} back to what the transaction had. */
    private String begin() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(String.join("; ", SETTINGS, "SAVEPOINT " + claimSavepoint, settings));
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                Map<String, String> before = new TreeMap<>();
                for (String name : PLANNING.keySet()) {
                    before.put(name, row.getString(name));
                }
                restorePlans = set(before);
                return set(Map.of("lock_timeout", row.getString("lock_timeout")));
            }
        }
    }

    /** One round; empty when somebody else was faster and nothing was decided. */
    private Optional<ClaimAnswer> judge(List<ClaimRequest> request) throws SQLException {
        try {
            List<Answered<Optional<?>>> answer =
                    PostgresBatch.write(Writes.claims(request)).within(connection);
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            return answer.get(0).answer().isPresent()
                    ? answer.get(0).answer().map(ClaimAnswer.class::cast)
                    : PostgresBatch.claimAgain(request).within(connection).stream()
                            .map(Answered::answer)
                            .findFirst();
        } catch (SQLException e) {
            if (PostgresFaults.isHeldByAnother(e)) {
                return Optional.of(new ClaimAnswer.Busy(Duration.ZERO));
            }
            if (PostgresFaults.isUndoneByDeletion(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private ClaimAnswer ended(ClaimAnswer answer, String restoreWait) throws SQLException {
        if (answer instanceof ClaimAnswer.Granted) {
            execute(restoreWait, restorePlans, "SAVEPOINT " + workSavepoint);
            granted = true;
        } else if (answer instanceof ClaimAnswer.Unknown) {
            execute(restoreWait, restorePlans, "RELEASE SAVEPOINT " + claimSavepoint);
        } else {
            undoToClaim();
        }
        return answer;
    }

    @Override
    public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
        return attempt("settle", () -> {
            List<Answered<Optional<?>>> settled = PostgresBatch.write(
                            Writes.settlements(List.of(new Settling(lease, outcome, retention))))
                    .within(connection, KEEP_PLANS, restorePlans);
            if (settled.isEmpty()) {
                return new SettleAnswer.Refused(
                        PostgresBatch.find(List.of(lease.identity()))
                                .within(connection, KEEP_PLANS, restorePlans)
                                .stream()
                                .map(Answered::answer)
                                .findFirst());
            }
            execute("RELEASE SAVEPOINT " + claimSavepoint);
            return (SettleAnswer) settled.get(0).answer().orElseThrow();
        });
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
        return execute("ROLLBACK TO SAVEPOINT " + claimSavepoint, "RELEASE SAVEPOINT " + claimSavepoint);
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
