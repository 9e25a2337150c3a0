package dev.semel.internal;

import dev.semel.Claim;
import dev.semel.Codec;
import dev.semel.Event;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Settlement;
import dev.semel.StoreException;
import dev.semel.TransactionWork;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the engine's own, around claim, work and settlement.
 *
 * <ol>
 *   <li>It commits what is to stay: a completion, an unknown outcome, and an expired lease that the claim has noticed.
 *       Whatever else happens, it rolls back.
 *   <li>A connection whose transaction did not end for certain is aborted, not given back: to set it to autocommit would
 *       commit what is left in it.
 *   <li>What it has seen or made completed is kept in memory once the commit is confirmed, and what is there takes no
 *       connection.
 *   <li>Trouble in giving the connection back changes nothing of what was decided, and masks nothing.
 * </ol>
 */
final class OwnTransaction {

    private static final System.Logger LOG = System.getLogger("dev.semel");

    private final Engine engine;
    private final Intent intent;
    private final Traces.OfClaim trace;
    private final Connection connection;
    private final boolean autoCommit;
    private NearReplays.@Nullable Completion completion;
    private boolean ended;

    private OwnTransaction(Engine engine, Intent intent, Traces.OfClaim trace, Connection connection)
            throws SQLException {
        this.engine = engine;
        this.intent = intent;
        this.trace = trace;
        this.connection = connection;
        this.autoCommit = connection.getAutoCommit();
    }

    static <T extends @Nullable Object, E extends Exception> Execution<T> execute(
            Engine engine, DataSource dataSource, Intent intent, Codec<T> codec, TransactionWork<T, E> work) throws E {
        Traces.OfClaim trace = engine.traces().claim(intent);
        Claim near;
        try {
            near = engine.answerNear(intent, trace);
        } catch (Throwable failure) {
            trace.failed(failure);
            throw failure;
        }
        if (near != null) {
            return Runner.withoutRunning(near, codec);
        }
        OwnTransaction transaction = begun(engine, dataSource, intent, trace);
        try {
            return transaction.run(codec, work);
        } finally {
            transaction.giveBack();
        }
    }

    private static OwnTransaction begun(Engine engine, DataSource dataSource, Intent intent, Traces.OfClaim trace) {
        Connection connection = null;
        try {
            connection = dataSource.getConnection();
            OwnTransaction transaction = new OwnTransaction(engine, intent, trace, connection);
            connection.setAutoCommit(false);
            return transaction;
        } catch (SQLException | RuntimeException e) {
            if (connection != null) {
                close(connection);
            }
            trace.failed(e);
            throw told(engine, intent, "connect", "no transaction could be begun for " + intent.identity(), e);
        }
    }

    private <T extends @Nullable Object, E extends Exception> Execution<T> run(
            Codec<T> codec, TransactionWork<T, E> work) throws E {
        try {
            Claim claim =
                    engine.transacting(connection, seen -> completion = seen).begin(intent, trace);
            if (!(claim instanceof Claim.Granted granted)) {
                commit();
                return Runner.withoutRunning(claim, codec);
            }
            return run((TransactionAttempt) granted.attempt(), codec, work);
        } catch (Throwable failure) {
            rollBack(failure);
            throw failure;
        }
    }

    private <T extends @Nullable Object, E extends Exception> Execution<T> run(
            TransactionAttempt attempt, Codec<T> codec, TransactionWork<T, E> work) throws E {
        T value;
        Response response;
        try {
            value = Runner.within(attempt, inside -> work.run(connection, inside));
            response = Response.of(codec.encode(value));
        } catch (Throwable failure) {
            keepUnknown(attempt, failure);
            throw failure;
        }
        Settlement settlement = attempt.settleNow(new Outcome.Completed(response));
        if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
            throw unconfirmed.fault();
        }
        commit();
        return Runner.executed(value, settlement);
    }

    /** Of a failure nothing stays but the fact that nobody knows, where the code says so. */
    private void keepUnknown(TransactionAttempt attempt, Throwable failure) {
        Settlement settlement = attempt.settleFailure(failure);
        if (settlement instanceof Settlement.Settled settled && settled.outcome() instanceof Outcome.Unknown) {
            try {
                commit();
            } catch (StoreException notKept) {
                notKept.addSuppressed(failure);
                throw notKept;
            }
        }
        if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
            failure.addSuppressed(unconfirmed.fault());
        }
    }

    private void commit() {
        try {
            connection.commit();
            ended = true;
        } catch (SQLException | RuntimeException e) {
            throw told(
                    engine,
                    intent,
                    "commit",
                    "the commit of " + intent.identity()
                            + " was not confirmed: repeat the request with the same key to learn whether it happened",
                    e);
        }
        if (completion != null) {
            engine.near().keep(completion);
        }
    }

    private void rollBack(Throwable failure) {
        if (ended) {
            return;
        }
        try {
            connection.rollback();
            ended = true;
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static StoreException told(Engine engine, Intent intent, String verb, String message, Exception cause) {
        StoreException fault = new StoreException(message, cause);
        engine.listeners().tell(new Event.StoreFault(intent.operation().name(), intent.identity(), verb, fault));
        return fault;
    }

    private void giveBack() {
        try {
            if (ended) {
                connection.setAutoCommit(autoCommit);
            } else {
                connection.abort(Runnable::run);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be made as it was before", e);
        }
        close(connection);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be closed", e);
        }
    }
}
