package dev.semel.jdbc.mysql;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * A claim within a transaction of the application's, on its connection alone.
 *
 * <ol>
 *   <li>The claim is judged by a plain read. Where that is an answer, nothing is locked or written. At
 *       {@code REPEATABLE READ} it is what the transaction sees of the record, which may be older than the record.
 *   <li>Otherwise a savepoint, and the lock of the record. The row of a claim that has not committed blocks
 *       every other claim of its key; InnoDB counts waits in seconds, and ends a deadlock by undoing a whole transaction. So
 *       this tries without waiting, again and again until {@code maxWait} has passed: that cannot deadlock.
 *   <li>Under the lock, a claim is what it is in the store's own transactions.
 *   <li>Granted: a second savepoint where the work begins. Not granted: back to the first, unless the claim has turned the
 *       record unknown.
 *   <li>The settlement releases the savepoints, so that a transaction of many claims does not keep them all.
 * </ol>
 */
final class MysqlTransaction implements StoreTransaction {

    /** MySQL has no zero, and makes it one second. */
    private static final String ASK_WITHOUT_WAITING =
            "SET @semel_lock_wait_timeout = @@SESSION.innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 0";

    private static final String LENGTH_OF_A_TRY = "SELECT @@SESSION.innodb_lock_wait_timeout";

    private static final String WAIT_AS_BEFORE = "SET SESSION innodb_lock_wait_timeout = @semel_lock_wait_timeout";

    /** At first about what a short transaction takes; at most a delay that no caller notices. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

    private final Connection connection;
    private final MysqlTables tables;
    private final Duration maxWait;
    private final String claimSavepoint;
    private final String workSavepoint;
    private boolean granted;

    private MysqlTransaction(Connection connection, Duration maxWait, long maxPacket, TombstoneTable tombstones) {
        this.connection = connection;
        this.tables = new MysqlTables(connection, maxPacket, tombstones);
        this.maxWait = maxWait;
        // Unique, so that a claim within the work of another one never undoes that one.
        String name = UUID.randomUUID().toString().replace("-", "");
        this.claimSavepoint = "semel_claim_" + name;
        this.workSavepoint = "semel_work_" + name;
    }

    static MysqlTransaction on(Connection connection, Duration maxWait, long maxPacket, TombstoneTable tombstones) {
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException("a wait of " + maxWait + ": give zero or more");
        }
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException("this connection commits every statement by itself:"
                        + " call setAutoCommit(false) before, and commit() when all is done");
            }
        } catch (SQLException e) {
            throw MysqlFaults.inTransaction("begin", e);
        }
        return new MysqlTransaction(connection, maxWait, maxPacket, tombstones);
    }

    @Override
    public ClaimAnswer claim(ClaimRequest request) {
        if (granted) {
            throw new IllegalStateException("the claim of " + request.identity() + " was granted here already");
        }
        MysqlFlush.Claiming claiming = new MysqlFlush.Claiming(request);
        return attempt("claim", () -> {
            ClaimAnswer judged = claiming.judged(
                    tables.read(List.of(request.identity())).found().get(request.identity()),
                    tables.tombstones().table());
            return judged == null ? decided(claiming.entry()) : judged;
        });
    }

    private ClaimAnswer decided(MysqlEntry<ClaimAnswer> entry) throws SQLException {
        execute("SAVEPOINT " + claimSavepoint);
        // How much longer the other transaction takes is not known.
        ClaimAnswer answer = lock(entry.identity())
                ? decide(entry, tables.look(List.of(entry.identity())))
                : new ClaimAnswer.Busy(Duration.ZERO);
        if (answer instanceof ClaimAnswer.Granted) {
            execute("SAVEPOINT " + workSavepoint);
            granted = true;
        } else if (answer instanceof ClaimAnswer.Unknown) {
            execute("RELEASE SAVEPOINT " + claimSavepoint);
        } else {
            undoToClaim();
        }
        return answer;
    }

    /** At {@code REPEATABLE READ} no newer tombstone is seen; but then the record itself was, expired, by the plain read. */
    private <A> A decide(MysqlEntry<A> entry, MysqlTables.Look look) throws SQLException {
        List<Identity> identity = List.of(entry.identity());
        return new MysqlRecords(tables, look, MysqlFlush.buried(tables, identity, look))
                .decide(List.of(entry))
                .get(0);
    }

    /** Whether the lock was obtained in time. */
    private boolean lock(Identity identity) throws SQLException {
        execute(ASK_WITHOUT_WAITING);
        try {
            Duration waited = Duration.ZERO;
            Duration pause = FIRST_PAUSE;
            while (!tryLock(identity)) {
                if (waited.compareTo(maxWait) >= 0 || Thread.currentThread().isInterrupted()) {
                    return false;
                }
                LockSupport.parkNanos(pause.toNanos());
                waited = waited.plus(pause).plus(lengthOfATry());
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
            return true;
        } finally {
            execute(WAIT_AS_BEFORE);
        }
    }

    /** Nothing on MariaDB, a second on MySQL. */
    private Duration lengthOfATry() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(LENGTH_OF_A_TRY)) {
            row.next();
            return Duration.ofSeconds(row.getLong(1));
        }
    }

    private boolean tryLock(Identity identity) throws SQLException {
        try {
            tables.lock(List.of(identity));
            return true;
        } catch (SQLException e) {
            if (MysqlFaults.isHeldByAnother(e)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
        return attempt("settle", () -> {
            // The transaction has held the record's lock since the claim, so that it reads the record as it is. If it
            // reads another state, its claim was undone, and no lock is needed.
            SettleAnswer answer =
                    decide(MysqlEntry.settle(lease, outcome, retention), tables.read(List.of(lease.identity())));
            if (granted && answer instanceof SettleAnswer.Settled) {
                execute("RELEASE SAVEPOINT " + claimSavepoint);
            }
            return answer;
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

    private boolean undoToClaim() throws SQLException {
        execute("ROLLBACK TO SAVEPOINT " + claimSavepoint);
        return execute("RELEASE SAVEPOINT " + claimSavepoint);
    }

    /** Something done on the connection. */
    private interface Action<T> {
        T run() throws SQLException;
    }

    private static <T> T attempt(String verb, Action<T> action) {
        try {
            return action.run();
        } catch (SQLException e) {
            throw MysqlFaults.inTransaction(verb, e);
        }
    }

    private boolean execute(String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(command);
        }
    }
}
