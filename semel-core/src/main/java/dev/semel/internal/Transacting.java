package dev.semel.internal;

import dev.semel.Claim;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.Settlement;
import dev.semel.StoreException;
import dev.semel.TransactionWork;
import dev.semel.TransactionalSemel;
import dev.semel.Work;
import dev.semel.spi.StoreTransaction;
import dev.semel.spi.TransactionalStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Claim, run, settle on one connection: the store is asked on it alone, and the caller's commit makes it durable. */
final class Transacting implements TransactionalSemel {

    private final Engine engine;
    private final TransactionalStore store;
    private final Connection connection;

    Transacting(Engine engine, TransactionalStore store, Connection connection) {
        this.engine = engine;
        this.store = store;
        this.connection = connection;
    }

    @Override
    public Claim begin(Intent intent) {
        StoreTransaction transaction =
                store.within(connection, intent.operation().maxWait());
        Claiming claiming = new Claiming(
                engine,
                intent,
                request -> CompletableFuture.completedFuture(transaction.claim(request)),
                (granted, askedNanos) -> new Claim.Granted(
                        new TransactionAttempt(engine, intent.operation(), granted.lease(), transaction)));
        while (true) {
            Claiming.Next next = claiming.askBlocking();
            if (next instanceof Claiming.Next.Done done) {
                return done.claim();
            }
            if (next instanceof Claiming.Next.Pause) {
                // The store has waited already, behind the transaction that is in the way.
                return claiming.refusedInProgress();
            }
        }
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> Execution<T> execute(
            Intent intent, Codec<T> codec, Work<T, E> work) throws E {
        Claim claim = begin(intent);
        if (!(claim instanceof Claim.Granted granted)) {
            return Runner.withoutRunning(claim, codec);
        }
        TransactionAttempt attempt = (TransactionAttempt) granted.attempt();
        T value;
        Response response;
        try {
            value = work.run(attempt);
            response = Response.of(codec.encode(value));
        } catch (Throwable failure) {
            undo(attempt, failure);
            throw failure;
        }
        Settlement settlement = Faults.await(attempt.settle(new Outcome.Completed(response)));
        if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
            throw unconfirmed.fault();
        }
        return Runner.executed(value, settlement);
    }

    private static void undo(TransactionAttempt attempt, Throwable failure) {
        String reason = failure.getClass().getSimpleName();
        Settlement settlement = Faults.await(attempt.settle(
                switch (attempt.judge(failure)) {
                    case RECONCILE -> new Outcome.Unknown(reason);
                    case RETRY, REPLAY -> new Outcome.NotExecuted(reason);
                }));
        if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
            failure.addSuppressed(unconfirmed.fault());
        }
    }

    /** A transaction of our own around all that. */
    static <T extends @Nullable Object, E extends Exception> Execution<T> execute(
            Engine engine, DataSource dataSource, Intent intent, Codec<T> codec, TransactionWork<T, E> work) throws E {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                Execution<T> execution =
                        engine.within(connection).execute(intent, codec, attempt -> work.run(connection, attempt));
                commit(connection, intent);
                return execution;
            } catch (OutcomeUnknownException notSure) {
                commit(connection, intent);
                throw notSure;
            } catch (Throwable failure) {
                rollBack(connection, failure);
                throw failure;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw new StoreException("the transaction of " + intent.identity() + " could not be made", e);
        }
    }

    private static void commit(Connection connection, Intent intent) {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new StoreException(
                    "the commit of " + intent.identity()
                            + " was not confirmed: repeat the request with the same key to learn whether it happened",
                    e);
        }
    }

    private static void rollBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }
}
