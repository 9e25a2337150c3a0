package dev.semel.jdbc.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.GatheringStore;
import dev.semel.engine.TransactionalStore;
import dev.semel.jdbc.batch.BatchCall;
import dev.semel.jdbc.batch.BatchLimits;
import dev.semel.jdbc.batch.BatchThreads;
import dev.semel.jdbc.batch.Batcher;
import dev.semel.jdbc.config.DatabaseServer;
import dev.semel.jdbc.internal.AnswerSize;
import dev.semel.jdbc.internal.Pools;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.postgresql.PostgresBatch.Answered;
import dev.semel.jdbc.postgresql.PostgresBatch.Renewing;
import dev.semel.jdbc.postgresql.PostgresBatch.Settling;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store in PostgreSQL: durable, fenced, and shared by any number of processes.
 *
 * <ol>
 *   <li>Each verb is one round trip and one transaction. The statement that changes a record also writes its audit, except
 *       for a first claim and its completion, whose history is read from the record's columns.
 *   <li>Claims, settlements, renewals and reads that arrive together share their statement: {@link Batcher}. A lone caller's
 *       runs on the caller's thread. Stages complete on threads of the store.
 *   <li>A claim of a key that this process has seen lately is a plain read ({@code find.sql}). Another one inserts the record
 *       if it is absent and reads it if not ({@code claim-one.sql} and {@code find.sql}, or {@code claim.sql} for many; {@code
 *       claim-timed.sql} where keys carry their time), in one round trip. Where the record answers the claim, nothing is locked or changed.
 *   <li>Where an existing record must change, {@code claim-again.sql} follows in a round trip of its own. It writes only if
 *       the record is still the one that was judged; if not, the claim is repeated on a newer view.
 *   <li>Refused settlements are followed by a read, to say what the records are now.
 *   <li>A claim or read whose connection broke is repeated once: the claim carries its holder, and finds its own lease.
 *       Other verbs are not: a reconciler that took records again after a lost answer would skip those that it had taken.
 *   <li>{@link #within} does the same in a transaction of the application's.
 * </ol>
 */
public final class PostgresStore implements TransactionalStore, GatheringStore {

    private final PostgresStatements statements;
    private final TombstoneTable tombstones;
    private final SeenKeys seen = new SeenKeys();
    private final BatchThreads threads;
    private final Batcher<PostgresCall<?, ?>> writes;
    private final Batcher<BatchCall<Renewing, RenewAnswer>> renewals;
    private final Batcher<BatchCall<Identity, Optional<StoredRecord>>> reads;
    private final BlockingVerbs blocking = new Blocking();

    /** A store on connections of the application's data source, which the application closes. */
    public PostgresStore(DataSource dataSource) {
        this(dataSource, PostgresOptions.DEFAULT);
    }

    /**
     * A store on connections of the application's data source, which the application closes.
     *
     * @throws StoreException when the server cannot be reached, is unsafe, or lacks the tables
     */
    public PostgresStore(DataSource dataSource, PostgresOptions options) {
        this(dataSource, options, null);
        Pools.warnOfLongWait("PostgreSQL", dataSource);
    }

    private PostgresStore(DataSource dataSource, PostgresOptions options, @Nullable HikariDataSource pool) {
        this.statements = new PostgresStatements(dataSource, pool);
        this.tombstones = PostgresStartup.prepare(dataSource, options);
        BatchLimits limits = BatchLimits.ofLanes(options.lanes());
        PostgresFlushes flushes = new PostgresFlushes(statements, tombstones, seen);
        this.threads = new BatchThreads("postgresql");
        this.writes = new Batcher<>(limits, threads, flushes::write);
        this.renewals = new Batcher<>(BatchLimits.oneLane(), threads, flushes::renew);
        this.reads = new Batcher<>(limits, threads, flushes::find);
    }

    /**
     * Opens a store with a connection pool of its own.
     *
     * @throws StoreException when the server cannot be reached, is unsafe, or lacks the tables
     */
    public static PostgresStore open(DatabaseServer server, PostgresOptions options) {
        HikariDataSource pool = PostgresPool.open(server);
        try {
            return new PostgresStore(pool, options, pool);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>The connection is to the database of this store, with a {@code search_path} on which its tables are and a user
     * who may write them. The wait applies to each transaction that blocks the claim, one after the other.
     */
    @Override
    public StoreTransaction within(Connection connection, Duration maxWait) {
        return PostgresTransaction.on(connection, maxWait, tombstones, seen);
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
        return writes.submit(new PostgresCall.Claim(request)).stage();
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return writes.submit(settling(lease, outcome, retention)).stage();
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return renewals.submit(new BatchCall<>(new Renewing(lease, duration), BatchLimits.QUESTION_BYTES))
                .stage();
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        try {
            return CompletableFuture.completedFuture(blocking.step(lease, name, result));
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return reads.submit(finding(identity)).stage();
    }

    private static PostgresCall.Settle settling(Lease lease, Outcome outcome, Duration retention) {
        return new PostgresCall.Settle(new Settling(lease, outcome, retention));
    }

    private static BatchCall<Identity, Optional<StoredRecord>> finding(Identity identity) {
        return new BatchCall<>(identity, BatchLimits.QUESTION_BYTES, AnswerSize::of);
    }

    /** Runs a lone caller's statement on the caller's thread. */
    private final class Blocking implements BlockingVerbs {

        @Override
        public ClaimAnswer claim(ClaimRequest request) {
            return writes.call(new PostgresCall.Claim(request)).answer();
        }

        @Override
        public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
            return writes.call(settling(lease, outcome, retention)).answer();
        }

        @Override
        public StepAnswer step(Lease lease, String name, Response result) {
            return only(PostgresQuery.step(lease, name, result)).orElse(StepAnswer.LOST);
        }

        @Override
        public Optional<StoredRecord> find(Identity identity) {
            return reads.call(finding(identity)).answer();
        }
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return outcome instanceof Outcome.Unknown
                ? refused(lease)
                : settled(lease, PostgresQuery.reconcile(lease, outcome, evidence, retention));
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return settled(lease, PostgresQuery.reschedule(lease, reschedule, evidence));
    }

    @Override
    public SettleAnswer annotate(Lease lease, Change change, Evidence evidence) {
        return settled(lease, PostgresQuery.annotate(lease, change, evidence));
    }

    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        return settled(lease, PostgresQuery.forget(lease, evidence));
    }

    @Override
    public RecordSearch.Page search(RecordSearch search) {
        return PostgresSearch.page(search, statements);
    }

    private SettleAnswer settled(Lease lease, PostgresQuery<SettleAnswer> query) {
        return only(query).orElseGet(() -> refused(lease));
    }

    private SettleAnswer refused(Lease lease) {
        return new SettleAnswer.Refused(statements.runRepeatable(PostgresBatch.find(List.of(lease.identity()))).stream()
                .map(Answered::answer)
                .findFirst());
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return statements.runRepeatable(PostgresQuery.history(identity));
    }

    @Override
    public List<Identity> sample(int limit) {
        return statements.runRepeatable(PostgresQuery.sample(limit));
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return statements.runRepeatable(PostgresQuery.listUnknown(filter, limit));
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return statements.run(PostgresQuery.sweep(limit));
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        return statements.run(PostgresQuery.due(operation, limit, hold));
    }

    @Override
    public int prune(int limit, Expiry expiry) {
        if (tombstones.keepsTombstones()) {
            statements.run(PostgresQuery.pruneTombstones(limit, tombstones));
        }
        return only(PostgresQuery.prune(limit, expiry, tombstones)).orElse(0);
    }

    @Override
    public void close() {
        writes.close();
        renewals.close();
        reads.close();
        threads.close();
        statements.close();
    }

    private <T> Optional<T> only(PostgresQuery<T> query) {
        return statements.run(query).stream().findFirst();
    }
}
