package dev.semel.jdbc.mysql;

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
import dev.semel.jdbc.internal.Records;
import dev.semel.jdbc.internal.Verbs;
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
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store in MySQL or MariaDB: durable, fenced, and shared by any number of processes.
 *
 * <ol>
 *   <li>A claim is first judged by a plain read. If that is an answer, nothing is locked or written.
 *   <li>Otherwise, as for every other verb about one record, a transaction locks the record, reads it and the server's clock,
 *       decides by {@link dev.semel.spi.Transitions}, writes the audit and the record, and commits.
 *   <li>Verbs of a kind that arrive together share their transaction: {@link Batcher}. A lone caller's runs on the caller's
 *       thread. Stages complete on threads of the store.
 *   <li>A fence is the number that the server gives to the entry of the audit, while the record is locked.
 *   <li>Sweep, due and prune lock the records that no other transaction has locked, and skip the rest.
 *   <li>A claim or read whose connection broke is repeated once: the claim carries its holder, and finds its own lease.
 *       Other verbs are not: a reconciler that took records again after a lost answer would skip those that it had taken.
 *   <li>{@link #within} does the same in a transaction of the application's.
 * </ol>
 */
public final class MysqlStore implements TransactionalStore, GatheringStore {

    private final long maxPacket;
    private final MysqlConnections connections;
    private final BatchThreads threads;
    private final Batcher<BatchCall<MysqlFlush.Claiming, ClaimAnswer>> claims;
    private final Batcher<BatchCall<MysqlEntry<SettleAnswer>, SettleAnswer>> settlements;
    private final Batcher<BatchCall<MysqlEntry<RenewAnswer>, RenewAnswer>> renewals;
    private final Batcher<BatchCall<MysqlEntry<StepAnswer>, StepAnswer>> steps;
    private final Batcher<BatchCall<Identity, Optional<StoredRecord>>> reads;
    private final BlockingVerbs blocking = new Blocking();

    /** A store on the application's connections, which the data source hands out in autocommit mode. The caller closes it. */
    public MysqlStore(DataSource dataSource) {
        this(dataSource, MysqlOptions.DEFAULT);
    }

    /**
     * A store on the application's connections, which the data source hands out in autocommit mode. The caller closes it.
     *
     * @throws StoreException when the server cannot be reached, is unsafe, or lacks the tables
     */
    public MysqlStore(DataSource dataSource, MysqlOptions options) {
        this(dataSource, options, null);
        Pools.warnOfLongWait("MySQL", dataSource);
    }

    private MysqlStore(DataSource dataSource, MysqlOptions options, @Nullable HikariDataSource pool) {
        MysqlStartup.Ready ready = MysqlStartup.prepare(dataSource, options);
        this.maxPacket = ready.settings().maxPacket();
        this.connections = new MysqlConnections(dataSource, pool, maxPacket, ready.tombstones());
        BatchLimits limits = BatchLimits.ofLanes(options.lanes());
        BatchLimits oneLane = BatchLimits.oneLane();
        MysqlFlush flush = new MysqlFlush(connections);
        this.threads = new BatchThreads("mysql");
        this.claims = new Batcher<>(limits, threads, flush::claim);
        this.settlements = new Batcher<>(limits, threads, flush::write);
        this.renewals = new Batcher<>(oneLane, threads, flush::write);
        this.steps = new Batcher<>(oneLane, threads, flush::write);
        this.reads = new Batcher<>(limits, threads, flush::find);
    }

    /**
     * Opens a store with a connection pool of its own.
     *
     * @throws StoreException when the server cannot be reached, is unsafe, or lacks the tables
     */
    public static MysqlStore open(DatabaseServer server, MysqlOptions options) {
        HikariDataSource pool = MysqlPool.open(server);
        try {
            return new MysqlStore(pool, options, pool);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>The connection is to the database of this store, as a user who may write its tables.
     */
    @Override
    public StoreTransaction within(Connection connection, Duration maxWait) {
        return MysqlTransaction.on(connection, maxWait, maxPacket, connections.tombstones());
    }

    @Override
    public void together(Runnable task) {
        claims.together(() -> settlements.together(task));
    }

    @Override
    public BlockingVerbs blocking() {
        return blocking;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return claims.submit(claiming(request)).stage();
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return settlements
                .submit(writing(MysqlEntry.settle(lease, outcome, retention)))
                .stage();
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return renewals.submit(writing(MysqlEntry.renew(lease, duration))).stage();
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return steps.submit(writing(MysqlEntry.step(lease, name, result))).stage();
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return reads.submit(finding(identity)).stage();
    }

    private static BatchCall<MysqlFlush.Claiming, ClaimAnswer> claiming(ClaimRequest request) {
        MysqlFlush.Claiming claiming = new MysqlFlush.Claiming(request);
        return new BatchCall<>(claiming, claiming.entry().bytes(), AnswerSize::of);
    }

    private static <A> BatchCall<MysqlEntry<A>, A> writing(MysqlEntry<A> entry) {
        return new BatchCall<>(entry, entry.bytes());
    }

    private static BatchCall<Identity, Optional<StoredRecord>> finding(Identity identity) {
        return new BatchCall<>(identity, BatchLimits.QUESTION_BYTES, AnswerSize::of);
    }

    /** Runs a lone caller's transaction on the caller's thread. */
    private final class Blocking implements BlockingVerbs {

        @Override
        public ClaimAnswer claim(ClaimRequest request) {
            return claims.call(claiming(request)).answer();
        }

        @Override
        public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
            return settlements
                    .call(writing(MysqlEntry.settle(lease, outcome, retention)))
                    .answer();
        }

        @Override
        public StepAnswer step(Lease lease, String name, Response result) {
            return steps.call(writing(MysqlEntry.step(lease, name, result))).answer();
        }

        @Override
        public Optional<StoredRecord> find(Identity identity) {
            return reads.call(finding(identity)).answer();
        }
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return settlements
                .call(writing(MysqlEntry.reconcile(lease, outcome, evidence, retention)))
                .answer();
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return settlements
                .call(writing(MysqlEntry.reschedule(lease, reschedule, evidence)))
                .answer();
    }

    @Override
    public SettleAnswer annotate(Lease lease, Change change, Evidence evidence) {
        return settlements
                .call(writing(MysqlEntry.annotate(lease, change, evidence)))
                .answer();
    }

    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        return settlements.call(writing(MysqlEntry.forget(lease, evidence))).answer();
    }

    @Override
    public RecordSearch.Page search(RecordSearch search) {
        return connections.read("search", tables -> tables.search(search));
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return connections.read("read a history", tables -> tables.history(identity));
    }

    @Override
    public List<Identity> sample(int limit) {
        return connections.read("list some records", tables -> tables.sample(limit));
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return connections.read("list what is unknown", tables -> tables.listUnknown(filter, limit));
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return take("sweep", records -> Verbs.sweep(records, limit));
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        MysqlEntry.requireMeasurable(hold);
        return take("take what is due", records -> Verbs.due(records, operation, limit, hold));
    }

    @Override
    public int prune(int limit, Expiry expiry) {
        return take("prune", records -> Verbs.prune(records, limit, expiry));
    }

    @Override
    public void close() {
        claims.close();
        settlements.close();
        renewals.close();
        steps.close();
        reads.close();
        threads.close();
        connections.close();
    }

    /** What is done with records that a query finds. */
    private interface Taking<T> {
        T on(Records records) throws SQLException;
    }

    private <T> T take(String verb, Taking<T> taking) {
        return connections.write(verb, tables -> {
            MysqlRecords records = MysqlRecords.toBeFound(tables);
            T taken = taking.on(records);
            records.write();
            return taken;
        });
    }
}
