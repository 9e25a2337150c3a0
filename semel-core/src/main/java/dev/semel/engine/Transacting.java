package dev.semel.engine;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation.ClaimTime;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Semel.CheckedWork;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.adapter.TransactionClaims;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Claim, run, settle on one connection: the store is asked on it alone, and the caller's commit makes it durable. */
final class Transacting implements TransactionClaims {

    private final Context context;
    private final LostUnknowns lostUnknowns;
    private final ReplayGuards guards;
    private final UnaryOperator<Intent> stored;
    private final TransactionalStore store;
    private final Connection connection;
    private final ClaimTime claimTime;
    private final Consumer<NearReplays.Completion> ifCommitted;
    private boolean late;
    private final Set<TransactionAttempt> unsure = new LinkedHashSet<>();

    Transacting(
            Context context,
            LostUnknowns lostUnknowns,
            ReplayGuards guards,
            UnaryOperator<Intent> stored,
            TransactionalStore store,
            Connection connection,
            ClaimTime claimTime,
            Consumer<NearReplays.Completion> ifCommitted) {
        this.context = context;
        this.lostUnknowns = lostUnknowns;
        this.guards = guards;
        this.stored = stored;
        this.store = store;
        this.connection = connection;
        this.claimTime = claimTime;
        this.ifCommitted = ifCommitted;
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException(
                        "the connection is in autocommit mode: there is no transaction to take part in");
            }
        } catch (SQLException e) {
            throw new StoreException("the connection cannot be used", e);
        }
    }

    @Override
    public Claim begin(Intent sent) {
        Intent intent = stored.apply(sent);
        return guards.checked(intent, begin(intent, context.traces().claim(intent)));
    }

    /** Begins without asking the intent's guard. */
    Claim begin(Intent intent, Traces.OfClaim trace) {
        try {
            Claim near = context.answerNear(intent, trace);
            return near == null ? claim(intent, trace) : near;
        } catch (Throwable failure) {
            trace.failed(failure);
            throw failure;
        }
    }

    private Claim claim(Intent intent, Traces.OfClaim trace) {
        StoreTransaction transaction = transaction(intent);
        Claiming claiming = new Claiming(context, lostUnknowns, intent, trace, new Claiming.Target() {
            @Override
            public Claim.Granted granted(StoredRecord granted, long askedNanos) {
                return Transacting.this.granted(intent, granted, transaction, trace);
            }

            @Override
            public void settle(StoredRecord granted, Outcome.Unknown outcome) {
                Duration retention = intent.operation().retention();
                if (transaction.settle(granted.lease(), outcome, retention) instanceof SettleAnswer.Refused) {
                    throw new StoreException(
                            "the claim of " + granted.identity() + " is gone from its own transaction");
                }
            }

            @Override
            public void completed(NearReplays.Completion completion) {
                Transacting.this.completed(completion);
            }
        });
        while (true) {
            Claiming.Next next = claiming.askBlocking(transaction::claim);
            if (next instanceof Claiming.Next.Done done) {
                return done.claim();
            }
            if (next instanceof Claiming.Next.Pause) {
                // The store has waited already, behind the transaction that is in the way.
                return claiming.refusedInProgress();
            }
        }
    }

    private StoreTransaction transaction(Intent intent) {
        StoreTransaction transaction =
                store.within(connection, intent.operation().maxWait());
        // A claim that shows an announced unknown outcome to be missing records it.
        boolean late = claimTime == ClaimTime.LATE
                && intent.operation().claim() == ClaimTime.LATE
                && !lostUnknowns.isAnnounced(intent.identity());
        return late ? new LateTransaction(transaction) : transaction;
    }

    private Claim.Granted granted(
            Intent intent, StoredRecord granted, StoreTransaction transaction, Traces.OfClaim trace) {
        if (!granted.steps().isEmpty() || granted.times().doubtSince() != null) {
            transaction.undoClaim();
            throw new IllegalStateException("an earlier attempt of " + granted.identity()
                    + " has recorded steps or vanished, and a transaction would do all of it again: finish it with"
                    + " Semel.execute");
        }
        TransactionAttempt attempt =
                new TransactionAttempt(context, lostUnknowns, intent, granted, transaction, this, trace);
        late = attempt.isLate();
        return new Claim.Granted(attempt);
    }

    @Override
    public boolean isLate() {
        return late;
    }

    /** The record is completed if the transaction commits. */
    void completed(NearReplays.Completion completion) {
        ifCommitted.accept(completion);
    }

    /** The outcome of this attempt may be unknown when the transaction ends. */
    void unsure(TransactionAttempt attempt) {
        unsure.add(attempt);
    }

    /** The transaction has committed, and every unknown outcome of it is on record. */
    void committed() {
        for (TransactionAttempt attempt : unsure) {
            LostUnknowns.Lost recorded = attempt.unknown();
            if (recorded != null) {
                lostUnknowns.forget(recorded);
            }
        }
        unsure.clear();
    }

    @Override
    public boolean recordUnknownAfterRollback() {
        return settleUnknownAfterRollback().values().stream().allMatch(Settlement.Settled.class::isInstance);
    }

    @Override
    public Map<Identity, Settlement> settleUnknownAfterRollback() {
        Map<Identity, Settlement> settlements = new LinkedHashMap<>();
        for (TransactionAttempt attempt : unsure) {
            LostUnknowns.Lost lost = attempt.unknown();
            if (lost != null) {
                settlements.put(lost.identity(), lostUnknowns.record(lost));
            }
        }
        unsure.clear();
        return settlements;
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> Execution<T> executeChecked(
            Intent intent, Codec<T> codec, CheckedWork<T, E> work) throws E {
        Claim claim = begin(intent);
        if (!(claim instanceof Claim.Granted granted)) {
            return Runner.withoutRunning(claim, codec);
        }
        TransactionAttempt attempt = (TransactionAttempt) granted.attempt();
        T value;
        Response response;
        try {
            value = Runner.within(attempt, work);
            response = Response.of(codec.encode(value));
        } catch (Throwable failure) {
            if (attempt.settleFailure(failure) instanceof Settlement.Unconfirmed unconfirmed) {
                // A caller that catches the work's own exception may go on and commit, and must not commit half of the
                // work.
                throw notUndone(unconfirmed.fault(), failure);
            }
            throw failure;
        }
        Settlement settlement = attempt.settleNow(new Outcome.Completed(response));
        if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
            throw unconfirmed.fault();
        }
        return Runner.executed(value, settlement);
    }

    private static StoreException notUndone(StoreException fault, Throwable failure) {
        StoreException notUndone = new StoreException(
                "the work failed and could not be undone: roll the transaction back (" + fault.getMessage() + ")",
                failure);
        notUndone.addSuppressed(fault);
        return notUndone;
    }
}
