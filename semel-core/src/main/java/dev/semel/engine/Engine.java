package dev.semel.engine;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Intent.Guard;
import dev.semel.Intent.Recorded;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Operation.ClaimTime;
import dev.semel.Refusal;
import dev.semel.Retention.Expiry;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.key.KeyFinding;
import dev.semel.key.KeyHygiene;
import dev.semel.reconcile.Records;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The parts of the engine behind its interface: every intent passes through {@link #stored} once, and goes to its part. */
final class Engine implements SemelEngine {

    private final Context context;
    private final boolean executing;
    private final Settler settler;
    private final LostUnknowns lostUnknowns;
    private final Claims claims;
    private final Pruning pruning;
    private final PoorKeys poorKeys;
    private final ReplayGuards guards;

    Engine(Store store, Timer timer, EngineConfig config) {
        this.executing = config.executing();
        if (executing) {
            KeyFormRecord.require(store, config.keyForm(), timer, new HolderNames().next());
        } else if (config.keyForm().isHashed()) {
            KeyFormRecord.requireSecret(store, config.keyForm());
        }
        this.context = Context.of(store, timer, config);
        this.settler = new Settler(context);
        this.lostUnknowns = new LostUnknowns(context, settler);
        this.claims = new Claims(context, settler, lostUnknowns);
        this.pruning = new Pruning(context);
        this.poorKeys = new PoorKeys(timer);
        this.guards = new ReplayGuards(context);
        if (config.pruneEvery() != null) {
            pruning.schedule(config.pruneEvery(), config.expiry());
        }
    }

    @Override
    public Identity stored(Identity sent) {
        return context.keys().stored(sent);
    }

    @Override
    public Identity named(Identity typed) {
        if (KeyForm.looksHashed(typed.key())) {
            return typed;
        }
        if (!executing && !context.keys().isHashed() && KeyFormRecord.isHashed(context.store())) {
            throw new StoreException(
                    "the keys in this store are hashed: give its secret, or the key as lists of records"
                            + " show it, which begins with h1:");
        }
        return stored(typed);
    }

    private Intent stored(Intent sent) {
        if (!executing) {
            throw new UnsupportedOperationException("this engine was built for operators: it executes nothing");
        }
        return context.keys().stored(sent);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> Execution<T> executeChecked(
            Intent intent, Codec<T> codec, CheckedWork<T, E> work) throws E {
        return Runner.run(begin(intent), codec, work);
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<Execution<T>> executeAsync(
            Intent intent, Codec<T> codec, AsyncWork<T> work) {
        return beginAsync(intent).thenCompose(claim -> Runner.runAsync(claim, codec, work));
    }

    @Override
    public Claim begin(Intent sent) {
        Intent intent = stored(sent);
        return guards.checked(intent, claims.begin(intent));
    }

    @Override
    public CompletionStage<Claim> beginAsync(Intent sent) {
        Intent intent = stored(sent);
        return guards.checkedAsync(intent, claims.beginAsync(intent));
    }

    @Override
    public CompletionStage<Optional<Refusal>> askGuard(Intent sent, boolean mayBlock) {
        Intent intent = stored(sent);
        Guard guard = intent.guard();
        return guard == null
                ? CompletableFuture.completedFuture(Optional.empty())
                : guards.ask(guard, intent.operation().name(), intent.identity(), null, mayBlock);
    }

    @Override
    public Optional<Refusal> askGuard(Guard guard, StoredRecord record) {
        Recorded recorded =
                new Recorded(record.fence(), record.state() == State.COMPLETED ? record.unchangedFor() : Duration.ZERO);
        return guards.ask(guard, record.operation(), record.identity(), recorded, true)
                .toCompletableFuture()
                .join();
    }

    @Override
    public Transacting within(Connection connection) {
        // The engine does not learn whether this transaction commits, so nothing of it is kept in memory.
        return transacting(connection, ClaimTime.EARLY, completion -> {});
    }

    @Override
    public Transacting withinOwn(Connection connection) {
        return transacting(connection, ClaimTime.LATE, completion -> {});
    }

    /** Works within a transaction; {@code ifCommitted} gets the completed records that are on record if it commits. */
    private Transacting transacting(
            Connection connection, ClaimTime claimTime, Consumer<NearReplays.Completion> ifCommitted) {
        if (!(context.store() instanceof TransactionalStore transactional)) {
            throw new UnsupportedOperationException(
                    "this store cannot take part in a transaction: use the store of the database that the transaction is in");
        }
        return new Transacting(
                context, lostUnknowns, guards, this::stored, transactional, connection, claimTime, ifCommitted);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> Execution<T> executeInTransaction(
            DataSource dataSource, Intent intent, Codec<T> codec, TransactionWork<T, E> work) throws E {
        return OwnTransaction.execute(context, guards, this::transacting, dataSource, stored(intent), codec, work);
    }

    @Override
    public Optional<KeyFinding> inspect(Operation operation, Scope scope, Key chosen, KeyHygiene hygiene) {
        if (hygiene == KeyHygiene.IGNORE) {
            return Optional.empty();
        }
        Optional<KeyFinding> finding = KeyFinding.in(chosen);
        if (finding.isPresent()) {
            boolean refused = hygiene == KeyHygiene.REFUSE;
            Event.PoorKey poor = new Event.PoorKey(operation.name(), scope, finding.get(), refused);
            context.listeners().tell(poor);
            poorKeys.warn(poor, stored(new Identity(scope, chosen)).key());
        }
        return finding;
    }

    @Override
    public void together(Runnable task) {
        if (context.store() instanceof GatheringStore gathering) {
            gathering.together(task);
        } else {
            task.run();
        }
    }

    @Override
    public Optional<StoredRecord> find(Identity sent) {
        return context.find(stored(sent));
    }

    @Override
    public UnknownOutcomes unknownOutcomes() {
        return new Unknowns(context);
    }

    @Override
    public Records records() {
        return new OperatorRecords(context);
    }

    @Override
    public long prune(Expiry expiry) {
        return pruning.prune(expiry);
    }

    @Override
    public void close() {
        context.closed().set(true);
        pruning.stop();
        if (context.timer() instanceof SystemTimer own) {
            own.close();
        }
        settler.close();
        guards.close();
        lostUnknowns.close();
        claims.close();
        context.store().close();
    }
}
