package dev.semel.jdbc.sqlite;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.GatheringStore;
import dev.semel.engine.NotCreatedException;
import dev.semel.engine.TransactionalStore;
import dev.semel.jdbc.batch.BatchCall;
import dev.semel.jdbc.batch.BatchLimits;
import dev.semel.jdbc.batch.BatchThreads;
import dev.semel.jdbc.batch.Batcher;
import dev.semel.jdbc.batch.UndoneException;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.DriverLibrary;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.internal.Verbs;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.spi.Transitions;
import dev.semel.spi.Transitions.Deleted;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * A store in a SQLite file: durable, fenced, and shared by the processes of one machine.
 *
 * <ol>
 *   <li>A claim first reads. Where {@link Transitions} has an answer to what it read, that is all: no lock is taken.
 *   <li>Otherwise, as for every other write, a transaction takes SQLite's write lock, reads again, decides by
 *       {@link Transitions}, writes what {@link Changes} says and its entry of the audit, and commits to the disk.
 *       Claims of new keys and completions are decided by the condition of the statement that writes: {@link SqliteVerbs}.
 *   <li>Writes that arrive while one is on its way to the disk are the next transaction, and one commit serves them all:
 *       {@link Batcher}. A lone caller's runs on the caller's thread.
 *   <li>A counter in the same transaction gives the fences, so that they rise also after records were deleted.
 *   <li>{@code sqlite/clock.sql} reads the time, inside the transaction that decides.
 * </ol>
 */
public final class SqliteStore implements TransactionalStore, GatheringStore {

    private static final String CLAIM = "claim";

    private final SqliteConnections connections;
    private final SqliteFences fences = new SqliteFences();
    private final BatchThreads threads = new BatchThreads("sqlite");
    private final Batcher<Write<?>> writes = new Batcher<>(BatchLimits.oneLane(), threads, this::flush);
    private final BlockingVerbs blocking = new Blocking();
    private final String file;
    private final TombstoneTable tombstones;

    /**
     * A store on connections of the application's data source, configured like those of {@link #dataSource}. It opens a
     * few, keeps them, and closes them when it is closed.
     *
     * @throws StoreException when the file cannot be used, or lacks the tables
     */
    public SqliteStore(DataSource dataSource, SqliteOptions options) {
        this.connections = new SqliteConnections(dataSource, options.busyTimeout());
        try {
            this.tombstones = SqliteStartup.prepare(connections, options);
            this.file = connections.read("start", SqliteConnection::file);
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
        DriverLibrary.SQLITE.require();
        if (options.schemaMode() == SchemaMode.CREATE) {
            createDirectories(path);
        } else if (!Files.exists(path)) {
            throw new NotCreatedException(
                    "there is no file " + path + ": it is not created yet; schemaMode=create would create it");
        } else if (path.toFile().length() == 0) {
            throw new NotCreatedException("the file " + path
                    + " is empty: the tables are not created yet; schemaMode=create would create them");
        }
        try {
            return new SqliteStore(dataSource(path, options), options);
        } catch (NotCreatedException e) {
            throw new NotCreatedException(path + ": " + e.getMessage(), e);
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
     * file: write-ahead log, commits that reach the disk, and a busy timeout.
     *
     * <p>A transaction takes the write lock with its first write, such as a claim. One that has read before may find that
     * it cannot have the lock any more, because others have written since: write first, or be ready to repeat it.
     */
    public static DataSource dataSource(Path path) {
        DriverLibrary.SQLITE.require();
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
        // With IMMEDIATE, this driver waits for the lock in setAutoCommit, for as long as the busy timeout, and once
        // more in commit, because it begins the next transaction there: a commit that has succeeded could fail.
        config.setTransactionMode(SQLiteConfig.TransactionMode.DEFERRED);
        SQLiteDataSource dataSource = new SQLiteDataSource(config);
        dataSource.setUrl("jdbc:sqlite:" + path.toAbsolutePath());
        return dataSource;
    }

    @Override
    public void together(Runnable task) {
        writes.together(task);
    }

    @Override
    public BlockingVerbs blocking() {
        return blocking;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return stage(() -> judged(request))
                .thenCompose(answer -> answer.isPresent()
                        ? CompletableFuture.completedFuture(answer.get())
                        : writes.submit(claiming(request)).stage());
    }

    /** The answer that needs no write, by a plain read. */
    private Optional<ClaimAnswer> judged(ClaimRequest request) {
        return connections.read(CLAIM, connection -> {
            SqliteLook look = SqliteLook.at(connection, request.identity());
            StoredRecord current = look.found() && look.record() == null
                    ? SqliteRecords.now(connection, fences, tombstones).find(request.identity())
                    : look.record();
            return current == null
                    ? Optional.empty()
                    : Optional.ofNullable(Verbs.answer(
                            Transitions.onClaim(current, request, Deleted.unread(tombstones.keepsTombstones())),
                            current));
        });
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return writes.submit(settling(lease, outcome, retention)).stage();
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return writes.submit(new Write<RenewAnswer>("renew", records -> Verbs.renew(records, lease, duration)))
                .stage();
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return writes.submit(stepping(lease, name, result)).stage();
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return stage(() -> blocking.find(identity));
    }

    private static Write<ClaimAnswer> claiming(ClaimRequest request) {
        return new Write<>(CLAIM, records -> SqliteVerbs.claim(records, request));
    }

    private static Write<SettleAnswer> settling(Lease lease, Outcome outcome, Duration retention) {
        return new Write<>(
                "settle",
                records -> SqliteVerbs.settle(records, lease, outcome, retention),
                BatchLimits.bytesOf(outcome));
    }

    private static Write<StepAnswer> stepping(Lease lease, String name, Response result) {
        return new Write<>(
                "record a step",
                records -> Verbs.step(records, lease, name, result),
                BatchLimits.QUESTION_BYTES + result.size());
    }

    /** Runs a lone caller's transaction on the caller's thread. */
    private final class Blocking implements BlockingVerbs {

        @Override
        public ClaimAnswer claim(ClaimRequest request) {
            return judged(request).orElseGet(() -> written(claiming(request)));
        }

        @Override
        public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
            return written(settling(lease, outcome, retention));
        }

        @Override
        public StepAnswer step(Lease lease, String name, Response result) {
            return written(stepping(lease, name, result));
        }

        @Override
        public Optional<StoredRecord> find(Identity identity) {
            return read("find", records -> Optional.ofNullable(records.find(identity)));
        }
    }

    private <A> A written(Write<A> write) {
        return writes.call(write).answer();
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return written(new Write<>(
                "reconcile",
                records -> Verbs.reconcile(records, lease, outcome, evidence, retention),
                BatchLimits.bytesOf(outcome)));
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return written(new Write<>("reschedule", records -> Verbs.reschedule(records, lease, reschedule, evidence)));
    }

    @Override
    public SettleAnswer annotate(Lease lease, Change change, Evidence evidence) {
        return written(new Write<>("annotate", records -> Verbs.annotate(records, lease, change, evidence)));
    }

    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        return written(new Write<>("forget", records -> Verbs.forget(records, lease, evidence)));
    }

    @Override
    public RecordSearch.Page search(RecordSearch search) {
        return connections.read("search", connection -> SqliteSearch.page(search, connection));
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        Arguments.requireLimit(limit);
        return written(new Write<>("sweep", records -> Verbs.sweep(records, limit)));
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        Arguments.requireLimit(limit);
        return written(new Write<>("take what is due", records -> Verbs.due(records, operation, limit, hold)));
    }

    @Override
    public int prune(int limit, Expiry expiry) {
        Arguments.requireLimit(limit);
        return written(new Write<>("prune", records -> Verbs.prune(records, limit, expiry)));
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return read("list what is unknown", records -> records.listUnknown(filter, limit));
    }

    @Override
    public List<Identity> sample(int limit) {
        return read("list some records", records -> records.sample(limit));
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return read("read a history", records -> records.history(identity));
    }

    /**
     * {@inheritDoc}
     *
     * <p>SQLite has one writer: the claim takes the write lock of the file, for the rest of the transaction, and waits for
     * the writer that has it. Claim before anything is read in the transaction, or SQLite may refuse it the lock.
     *
     * @throws IllegalArgumentException also when the connection is to another file
     */
    @Override
    public StoreTransaction within(Connection connection, Duration maxWait) {
        return SqliteTransaction.on(connection, maxWait, file, fences, tombstones);
    }

    @Override
    public void close() {
        writes.close();
        threads.close();
        connections.close();
    }

    /** What is done with the tables as they read at one moment. */
    private interface Work<T> {
        T on(SqliteRecords records) throws SQLException;
    }

    /** Work that waits for its turn to write. */
    private static final class Write<A> extends BatchCall<Work<A>, A> {

        private final String verb;

        Write(String verb, Work<A> work) {
            this(verb, work, BatchLimits.QUESTION_BYTES);
        }

        Write(String verb, Work<A> work, long bytes) {
            super(work, bytes);
            this.verb = verb;
        }

        /** Does the work, and returns what notes the answer when it is on the disk. */
        Runnable on(SqliteRecords records) throws SQLException {
            A answer = question().on(records);
            return () -> answer(answer);
        }
    }

    private <T> T read(String verb, Work<T> work) {
        return connections.read(verb, connection -> work.on(SqliteRecords.now(connection, fences, tombstones)));
    }

    /** One transaction for all; no call has an answer before it is on the disk. */
    private void flush(List<Write<?>> calls) {
        String verb = calls.size() == 1 ? calls.get(0).verb : "write";
        List<Runnable> answers;
        try {
            answers = connections.write(verb, connection -> {
                SqliteRecords records = SqliteRecords.now(connection, fences, tombstones, claims(calls));
                List<Runnable> all = new ArrayList<>();
                for (Write<?> call : calls) {
                    all.add(call.on(records));
                }
                return all;
            });
        } catch (ArithmeticException | DateTimeException | IllegalArgumentException e) {
            if (calls.size() == 1) {
                throw e;
            }
            throw new UndoneException("SQLite wrote nothing: one of the requests is impossible: " + e, e);
        }
        answers.forEach(Runnable::run);
    }

    private static int claims(List<Write<?>> calls) {
        int claims = 0;
        for (Write<?> call : calls) {
            claims += call.verb.equals(CLAIM) ? 1 : 0;
        }
        return claims;
    }

    private static <T> CompletionStage<T> stage(Supplier<T> work) {
        try {
            return CompletableFuture.completedFuture(work.get());
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
