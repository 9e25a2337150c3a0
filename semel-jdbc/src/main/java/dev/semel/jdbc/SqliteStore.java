package dev.semel.jdbc;

import dev.semel.Evidence;
import dev.semel.Expiry;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.spi.Changes;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ReconcilableStore;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.Transitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * A store in a SQLite file: durable, fenced, and shared by the processes of one machine.
 *
 * <ol>
 *   <li>A claim first reads. Where {@link Transitions} has an answer to what it read, that is all: no lock is taken.
 *   <li>Otherwise, as for every other write, a transaction takes SQLite's write lock, reads again, decides by
 *       {@link Transitions}, writes what {@link Changes} says, and commits to the disk.
 *   <li>Fences come from a counter in the same transaction, so that they rise also after records were deleted.
 *   <li>What time it is says {@code sqlite/clock.sql}, inside the transaction that decides.
 * </ol>
 */
public final class SqliteStore implements ReconcilableStore {

    private static final String FIND = Sql.file("sqlite/find.sql");
    private static final String WRITE = Sql.file("sqlite/write.sql");
    private static final String NEXT_FENCE = Sql.file("sqlite/next-fence.sql");
    private static final String PRUNE_DELETE = Sql.file("sqlite/prune-delete.sql");
    private static final String PRUNE_MARK = Sql.file("sqlite/prune-mark.sql");

    private final SqliteConnections connections;

    /**
     * A store on connections from somebody else, configured like those of {@link #dataSource}. It opens a few, keeps
     * them, and closes them when it is closed.
     *
     * @throws StoreException when the file cannot be used, or lacks the tables
     */
    public SqliteStore(DataSource dataSource, SqliteOptions options) {
        this.connections = new SqliteConnections(dataSource, options.busyTimeout());
        try {
            SqliteStartup.prepare(connections, options.schemaMode());
        } catch (RuntimeException e) {
            connections.close();
            throw e;
        }
    }

    /** Opens the store in this file, which is created if absent, with its directories. */
    public static SqliteStore open(Path path) {
        return open(path, SqliteOptions.DEFAULT);
    }

    /**
     * Opens the store in this file, which is created if absent, with its directories, unless the options say that
     * everything must be there.
     *
     * @throws StoreException when the file cannot be used, or lacks the tables
     */
    public static SqliteStore open(Path path, SqliteOptions options) {
        if (options.schemaMode() == SchemaMode.CREATE) {
            createDirectories(path);
        } else if (!Files.exists(path)) {
            throw new StoreException("there is no file " + path + "; schemaMode=create would create it");
        }
        try {
            return new SqliteStore(dataSource(path, options), options);
        } catch (StoreException e) {
            throw new StoreException(path + ": " + e.getMessage(), e);
        }
    }

    private static void createDirectories(Path path) {
        Path parent = path.toAbsolutePath().getParent();
        try {
            if (parent != null && !Files.isDirectory(parent)) {
                Files.createDirectories(parent);
            }
        } catch (IOException e) {
            throw new StoreException("the directory of " + path + " cannot be created: " + e, e);
        }
    }

    /**
     * Connections to a SQLite file as a store needs them, also for an application that keeps its own tables in the same
     * file: write-ahead log, commits that reach the disk, patience with other writers, and transactions that take the
     * write lock when they begin, because one that takes it later may find that it cannot go on.
     */
    public static DataSource dataSource(Path path) {
        return dataSource(path, SqliteOptions.DEFAULT);
    }

    private static DataSource dataSource(Path path, SqliteOptions options) {
        if (path.toString().contains("?")) {
            throw new IllegalArgumentException("the path of a SQLite file must not contain a question mark: the driver"
                    + " takes what follows it for parameters");
        }
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(Math.toIntExact(options.busyTimeout().toMillis()));
        if (options.schemaMode() == SchemaMode.CREATE) {
            // It stays with the file, so where nothing may be changed it is only checked.
            config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        }
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        SQLiteDataSource dataSource = new SQLiteDataSource(config);
        dataSource.setUrl("jdbc:sqlite:" + path.toAbsolutePath());
        return dataSource;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return stage(() -> {
            Optional<ClaimAnswer> answer = connections.read("claim", connection -> {
                StoredRecord current = find(connection, request.identity(), connection.clock());
                return current == null
                        ? Optional.empty()
                        : Optional.ofNullable(answer(Transitions.onClaim(current, request), current));
            });
            return answer.isPresent()
                    ? answer.get()
                    : connections.write("claim", connection -> decide(connection, request));
        });
    }

    /** The answer that needs no write; null when the decision needs one. */
    private static @Nullable ClaimAnswer answer(Transitions.ClaimDecision decision, StoredRecord current) {
        return switch (decision) {
            case GRANT_SAME -> new ClaimAnswer.Granted(current.lease(), current.attempts());
            case ANSWER_MISMATCH -> new ClaimAnswer.Mismatch(current);
            case ANSWER_RECORDED -> new ClaimAnswer.Recorded(current);
            case ANSWER_BUSY -> new ClaimAnswer.Busy(current.leaseRemaining());
            case ANSWER_UNKNOWN -> new ClaimAnswer.Unknown(current);
            case GRANT_NEW, GRANT_AGAIN, BECOME_UNKNOWN -> null;
        };
    }

    private static ClaimAnswer decide(SqliteConnection connection, ClaimRequest request) throws SQLException {
        Instant at = connection.clock();
        StoredRecord current = find(connection, request.identity(), at);
        Transitions.ClaimDecision decision = Transitions.onClaim(current, request);
        if (current == null || decision == Transitions.ClaimDecision.GRANT_NEW) {
            return grant(connection, Changes.granted(request, nextFence(connection), at));
        }
        if (decision == Transitions.ClaimDecision.GRANT_AGAIN) {
            return grant(connection, Changes.grantedAgain(current, request, nextFence(connection)));
        }
        ClaimAnswer answer = answer(decision, current);
        if (answer != null) {
            return answer;
        }
        StoredRecord unknown = Changes.givenUp(current);
        write(connection, unknown);
        return new ClaimAnswer.Unknown(unknown);
    }

    private static ClaimAnswer grant(SqliteConnection connection, StoredRecord granted) throws SQLException {
        write(connection, granted);
        return new ClaimAnswer.Granted(granted.lease(), granted.attempts());
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return stage(() -> connections.write("settle", connection -> {
            StoredRecord current = find(connection, lease.identity(), connection.clock());
            if (current == null || !Transitions.maySettle(current, lease, outcome)) {
                return new SettleAnswer.Refused(Optional.ofNullable(current));
            }
            write(connection, Changes.settled(current, outcome, retention));
            return new SettleAnswer.Settled(current.state());
        }));
    }

    @Override
    public CompletionStage<SettleAnswer> reconcile(
            Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return stage(() -> connections.write("reconcile", connection -> {
            StoredRecord current = find(connection, lease.identity(), connection.clock());
            if (current == null || !Transitions.mayReconcile(current, lease, outcome)) {
                return new SettleAnswer.Refused(Optional.ofNullable(current));
            }
            write(connection, Changes.reconciled(current, outcome, retention, evidence));
            return new SettleAnswer.Settled(current.state());
        }));
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return stage(() -> connections.write("renew", connection -> {
            StoredRecord current = find(connection, lease.identity(), connection.clock());
            if (current == null || !Transitions.mayRenew(current, lease)) {
                return RenewAnswer.LOST;
            }
            write(connection, Changes.renewed(current, duration));
            return RenewAnswer.RENEWED;
        }));
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return stage(() -> connections.read(
                "find", connection -> Optional.ofNullable(find(connection, identity, connection.clock()))));
    }

    @Override
    public CompletionStage<Integer> prune(int limit, Expiry expiry) {
        return stage(() -> connections.write("prune", connection -> {
            var statement = connection.prepare(expiry == Expiry.DELETE ? PRUNE_DELETE : PRUNE_MARK);
            new Arguments(statement).micros(connection.clock()).limit(limit);
            return statement.executeUpdate();
        }));
    }

    @Override
    public void close() {
        connections.close();
    }

    private static @Nullable StoredRecord find(SqliteConnection connection, Identity identity, Instant at)
            throws SQLException {
        var statement = connection.prepare(FIND);
        new Arguments(statement)
                .text(identity.scope().value())
                .text(identity.key().value());
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? RecordRow.read(rows, at, SqliteStore::instant) : null;
        }
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.instant(micros);
    }

    private static long nextFence(SqliteConnection connection) throws SQLException {
        try (ResultSet row = connection.prepare(NEXT_FENCE).executeQuery()) {
            if (!row.next()) {
                throw new StoreException(
                        "SQLite failed to claim: the table semel_fence has lost its row, and a fence that"
                                + " was given before must not be given again; restore the file from a backup");
            }
            return row.getLong("last");
        }
    }

    private static void write(SqliteConnection connection, StoredRecord record) throws SQLException {
        var statement = connection.prepare(WRITE);
        StoredRecord.Times times = record.times();
        Evidence evidence = record.evidence();
        new Arguments(statement)
                .text(record.identity().scope().value())
                .text(record.identity().key().value())
                .text(record.operation())
                .text(record.fingerprint().value())
                .text(record.state().label())
                .number(record.fence())
                .integer(record.attempts())
                .flag(record.reexecutable())
                .text(record.holder())
                .micros(times.lockedUntil())
                .micros(times.expiresAt())
                .micros(times.createdAt())
                .micros(times.updatedAt())
                .bytes(record.response() == null ? null : record.response().bytes())
                .text(record.reason())
                .text(evidence == null ? null : evidence.source())
                .text(evidence == null ? null : evidence.detail());
        statement.executeUpdate();
    }

    private static <T> CompletionStage<T> stage(Supplier<T> work) {
        try {
            return CompletableFuture.completedFuture(work.get());
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
