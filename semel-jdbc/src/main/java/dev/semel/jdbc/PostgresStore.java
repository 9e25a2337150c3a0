package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Evidence;
import dev.semel.Expiry;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.spi.Changes;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ReconcilableStore;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.Transitions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store in PostgreSQL: durable, fenced, and shared by any number of processes.
 *
 * <ol>
 *   <li>Each verb is one statement in a transaction of its own, so one round trip; it runs on the caller's thread.
 *   <li>A claim first judges the record by a plain read. If that is an answer, nothing is locked or written.
 *   <li>Otherwise the same statement writes, provided the record is still the one that was judged. If it is not, the
 *       statement returns nothing and is repeated on a newer view.
 *   <li>A refused settlement is followed by a read, to say what the record is now.
 *   <li>A claim or read whose connection broke is repeated once: the claim carries its holder, and finds its own lease.
 * </ol>
 */
public final class PostgresStore implements ReconcilableStore {

    private static final String CLAIM = Sql.file("postgresql/claim.sql");
    private static final String SETTLE = Sql.file("postgresql/settle.sql");
    private static final String RECONCILE = Sql.file("postgresql/reconcile.sql");
    private static final String RENEW = Sql.file("postgresql/renew.sql");
    private static final String FIND = Sql.file("postgresql/find.sql");
    private static final String PRUNE_DELETE = Sql.file("postgresql/prune-delete.sql");
    private static final String PRUNE_MARK = Sql.file("postgresql/prune-mark.sql");

    /** Each round is lost to somebody who got on; so many in a row on one key mean that something else is wrong. */
    private static final int MOST_ROUNDS = 100;

    private final DataSource dataSource;
    private final @Nullable HikariDataSource pool;

    /** A store on connections that somebody else opens and closes. */
    public PostgresStore(DataSource dataSource) {
        this(dataSource, PostgresOptions.DEFAULT);
    }

    /**
     * A store on connections that somebody else opens and closes.
     *
     * @throws StoreException when the server cannot be reached, is unsafe, or lacks the tables
     */
    public PostgresStore(DataSource dataSource, PostgresOptions options) {
        this(dataSource, options, null);
    }

    private PostgresStore(DataSource dataSource, PostgresOptions options, @Nullable HikariDataSource pool) {
        this.dataSource = dataSource;
        this.pool = pool;
        PostgresStartup.prepare(dataSource, options);
    }

    /**
     * Opens a store with a connection pool of its own.
     *
     * @throws StoreException when the server cannot be reached, is unsafe, or lacks the tables
     */
    public static PostgresStore open(StoreUri.Postgresql uri) {
        HikariDataSource pool = PostgresPool.forStore(uri);
        try {
            return new PostgresStore(pool, uri.options(), pool);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return stage(() -> {
            for (int round = 0; round < MOST_ROUNDS; round++) {
                Optional<ClaimAnswer> answer = judge(request);
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
            throw new StoreException("PostgreSQL could not decide a claim in " + MOST_ROUNDS
                    + " rounds: too many requests work on one key; try again later");
        });
    }

    /** One round of a claim; empty when somebody else was faster and nothing was decided. */
    private Optional<ClaimAnswer> judge(ClaimRequest request) {
        try {
            return repeatable(CLAIM, arguments -> bind(arguments, request), PostgresStore::answer);
        } catch (SQLException e) {
            if (PostgresFaults.isNothingDecided(e)) {
                return Optional.empty();
            }
            throw PostgresFaults.of("claim", e);
        }
    }

    private static void bind(Arguments arguments, ClaimRequest request) throws SQLException {
        arguments
                .text(request.identity().scope().value())
                .text(request.identity().key().value())
                .text(request.operation())
                .text(request.fingerprint().value())
                .duration(request.lease())
                .flag(request.reexecutable())
                .text(request.holder())
                .text(Transitions.LEASE_EXPIRED);
    }

    private static ClaimAnswer answer(ResultSet row) throws SQLException {
        StoredRecord record = record(row);
        String decision = row.getString("decision").toUpperCase(Locale.ROOT);
        return switch (Transitions.ClaimDecision.valueOf(decision)) {
            case GRANT_NEW, GRANT_AGAIN, GRANT_SAME -> new ClaimAnswer.Granted(record.lease(), record.attempts());
            case BECOME_UNKNOWN, ANSWER_UNKNOWN -> new ClaimAnswer.Unknown(record);
            case ANSWER_MISMATCH -> new ClaimAnswer.Mismatch(record);
            case ANSWER_RECORDED -> new ClaimAnswer.Recorded(record);
            case ANSWER_BUSY -> new ClaimAnswer.Busy(record.leaseRemaining());
        };
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return stage(() -> settle("settle", SETTLE, lease, outcome, Transitions.LATE_ANSWER, retention));
    }

    @Override
    public CompletionStage<SettleAnswer> reconcile(
            Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return stage(() -> outcome instanceof Outcome.Unknown
                ? refused(lease)
                : settle("reconcile", RECONCILE, lease, outcome, evidence, retention));
    }

    private SettleAnswer settle(
            String verb, String sql, Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        Optional<State> from = once(
                verb,
                sql,
                arguments -> {
                    bind(arguments, lease)
                            .text(Transitions.stateOf(outcome).label())
                            .bytes(
                                    outcome instanceof Outcome.Completed done
                                            ? done.response().bytes()
                                            : null)
                            .text(storableReasonOf(outcome))
                            .duration(retention)
                            .text(evidence.source())
                            .text(evidence.detail());
                },
                row -> State.ofLabel(row.getString("from_state")));
        return from.<SettleAnswer>map(SettleAnswer.Settled::new).orElseGet(() -> refused(lease));
    }

    /** PostgreSQL's text cannot hold NUL, and a settlement must not fail because of its reason. */
    private static @Nullable String storableReasonOf(Outcome outcome) {
        String reason = Changes.reasonOf(outcome);
        return reason == null ? null : reason.replace("\0", "");
    }

    private SettleAnswer refused(Lease lease) {
        return new SettleAnswer.Refused(read(lease.identity()));
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return stage(() -> once(
                        "renew",
                        RENEW,
                        arguments -> bind(arguments, lease).duration(duration),
                        row -> RenewAnswer.RENEWED)
                .orElse(RenewAnswer.LOST));
    }

    private static Arguments bind(Arguments arguments, Lease lease) throws SQLException {
        return arguments
                .text(lease.identity().scope().value())
                .text(lease.identity().key().value())
                .number(lease.fence());
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return stage(() -> read(identity));
    }

    private Optional<StoredRecord> read(Identity identity) {
        return decided(
                "find",
                () -> repeatable(
                        FIND,
                        arguments -> arguments
                                .text(identity.scope().value())
                                .text(identity.key().value()),
                        PostgresStore::record));
    }

    @Override
    public CompletionStage<Integer> prune(int limit, Expiry expiry) {
        String sql = expiry == Expiry.DELETE ? PRUNE_DELETE : PRUNE_MARK;
        return stage(() -> once("prune", sql, arguments -> arguments.limit(limit), row -> row.getInt("pruned"))
                .orElse(0));
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.close();
        }
    }

    private static StoredRecord record(ResultSet row) throws SQLException {
        Instant at = row.getObject("at", OffsetDateTime.class).toInstant();
        return RecordRow.read(row, at, PostgresStore::instant);
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** Fills a statement's placeholders. */
    private interface Binding {
        void bind(Arguments arguments) throws SQLException;
    }

    /** Makes an answer of the row that a statement returned. */
    private interface Reading<T> {
        T read(ResultSet row) throws SQLException;
    }

    private static <T> CompletionStage<T> stage(Supplier<T> work) {
        try {
            return CompletableFuture.completedFuture(work.get());
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> Optional<T> once(String verb, String sql, Binding binding, Reading<T> reading) {
        return decided(verb, () -> run(sql, binding, reading));
    }

    /** One execution of a statement. */
    private interface Round<T> {
        Optional<T> run() throws SQLException;
    }

    /** Goes on while the statement is undone because of others, which stricter isolation levels do. */
    private static <T> Optional<T> decided(String verb, Round<T> round) {
        for (int number = 1; ; number++) {
            try {
                return round.run();
            } catch (SQLException e) {
                if (number == MOST_ROUNDS || !PostgresFaults.isNothingDecided(e)) {
                    throw PostgresFaults.of(verb, e);
                }
            }
        }
    }

    /** Runs a statement that does no harm when it runs twice. */
    private <T> Optional<T> repeatable(String sql, Binding binding, Reading<T> reading) throws SQLException {
        try {
            return run(sql, binding, reading);
        } catch (SQLException e) {
            if (!PostgresFaults.isConnectionLost(e)) {
                throw e;
            }
            dropIdleConnections();
            return run(sql, binding, reading);
        }
    }

    /** A server that ended one connection has most likely ended them all, and the pool would hand out the next dead one. */
    private void dropIdleConnections() {
        if (pool != null) {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    /** The one place where statements are executed; empty when there is no row. */
    private <T> Optional<T> run(String sql, Binding binding, Reading<T> reading) throws SQLException {
        try (Connection connection = connection()) {
            if (connection.getAutoCommit()) {
                return run(connection, sql, binding, reading);
            }
            // Refused within a transaction, which is somebody else's and which autocommit would commit.
            connection.setReadOnly(connection.isReadOnly());
            connection.setAutoCommit(true);
            try {
                return run(connection, sql, binding, reading);
            } finally {
                connection.setAutoCommit(false);
            }
        }
    }

    private static <T> Optional<T> run(Connection connection, String sql, Binding binding, Reading<T> reading)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.bind(new Arguments(statement));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(reading.read(rows)) : Optional.empty();
            }
        }
    }

    private Connection connection() {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw PostgresFaults.noConnection(e);
        }
    }
}
