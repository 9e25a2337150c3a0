package dev.semel.engine;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Operation.ClaimTime;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.Semel.TransactionWork;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the engine's own, around claim, work and settlement.
 *
 * <ol>
 *   <li>It commits what is to stay: a completion, an unknown outcome, and an expired lease that the claim has noticed.
 *       Whatever else happens, it rolls back.
 *   <li>An unknown outcome that its commit, or its settlement, did not confirm is recorded after the rollback, when the
 *       connection was given back. The caller then gets what the commit would have led to.
 *   <li>A connection whose transaction did not end for certain is aborted, not given back: to set it to autocommit would
 *       commit what is left in it.
 *   <li>What it has seen or made completed is kept in memory once the commit is confirmed, and what is there takes no
 *       connection.
 *   <li>Trouble in giving the connection back changes nothing of what was decided, and masks nothing.
 * </ol>
 */
final class OwnTransaction {

    private static final System.Logger LOG = System.getLogger("dev.semel");

    private static final String ASK_AGAIN = "repeat the request with the same key to learn whether it happened";
    private static final String STILL_UNKNOWN = "its outcome is unknown, and is recorded after the rollback";

    /** How the engine works within a transaction; the consumer gets completed records that are on record if it commits. */
    @FunctionalInterface
    interface Within {
        Transacting transaction(
                Connection connection, ClaimTime claimTime, Consumer<NearReplays.Completion> ifCommitted);
    }

    private final Context context;
    private final ReplayGuards guards;
    private final Intent intent;
    private final Traces.OfClaim trace;
    private final Connection connection;
    private final boolean autoCommit;
    private NearReplays.@Nullable Completion completion;
    private @Nullable Transacting transacting;
    private boolean late;

    /** Whether a failure no longer means that nothing stays. */
    private boolean unsettled;

    private boolean ended;
    private boolean givenBack;

    private OwnTransaction(
            Context context, ReplayGuards guards, Intent intent, Traces.OfClaim trace, Connection connection)
            throws SQLException {
        this.context = context;
        this.guards = guards;
        this.intent = intent;
        this.trace = trace;
        this.connection = connection;
        this.autoCommit = connection.getAutoCommit();
    }

    static <T extends @Nullable Object, E extends Exception> Execution<T> execute(
            Context context,
            ReplayGuards guards,
            Within within,
            DataSource dataSource,
            Intent intent,
            Codec<T> codec,
            TransactionWork<T, E> work)
            throws E {
        Traces.OfClaim trace = context.traces().claim(intent);
        Claim near;
        try {
            near = context.answerNear(intent, trace);
        } catch (Throwable failure) {
            trace.failed(failure);
            throw failure;
        }
        if (near != null) {
            return Runner.withoutRunning(guards.checked(intent, near), codec);
        }
        OwnTransaction transaction = begun(context, guards, dataSource, intent, trace);
        ClaimTime claimTime = intent.operation().claim();
        try {
            return transaction.run(within, claimTime, codec, work);
        } catch (Throwable failure) {
            if (!transaction.isOfAnother(failure)) {
                throw failure;
            }
        } finally {
            transaction.giveBack();
        }
        OwnTransaction early =
                begun(context, guards, dataSource, intent, context.traces().claim(intent));
        try {
            return early.run(within, ClaimTime.EARLY, codec, work);
        } finally {
            early.giveBack();
        }
    }

    /**
     * Whether late work came to nothing because the key has a record: the work is undone, and the record answers the request. Work
     * that failed may have met what the duplicate before it had written.
     */
    private boolean isOfAnother(Throwable failure) {
        if (!late || !ended) {
            return false;
        }
        if (failure instanceof LateTransaction.NotRecordedException) {
            return true;
        }
        if (unsettled || failure instanceof Error) {
            return false;
        }
        giveBack();
        try {
            return Faults.answered(() -> context.store().blocking().find(intent.identity()))
                    .isPresent();
        } catch (StoreException notFound) {
            failure.addSuppressed(notFound);
            return false;
        }
    }

    private static OwnTransaction begun(
            Context context, ReplayGuards guards, DataSource dataSource, Intent intent, Traces.OfClaim trace) {
        Connection connection = null;
        try {
            connection = dataSource.getConnection();
            OwnTransaction transaction = new OwnTransaction(context, guards, intent, trace, connection);
            connection.setAutoCommit(false);
            return transaction;
        } catch (SQLException | RuntimeException e) {
            if (connection != null) {
                close(connection);
            }
            trace.failed(e);
            throw reported(context, intent, "connect", "no transaction could be begun for " + intent.identity(), e);
        }
    }

    private <T extends @Nullable Object, E extends Exception> Execution<T> run(
            Within within, ClaimTime claimTime, Codec<T> codec, TransactionWork<T, E> work) throws E {
        try {
            transacting = within.transaction(connection, claimTime, seen -> completion = seen);
            Claim claim = transacting.begin(intent, trace);
            if (!(claim instanceof Claim.Granted granted)) {
                commit(ASK_AGAIN);
                // After the commit and with the connection given back: the guard may take its time.
                giveBack();
                return Runner.withoutRunning(guards.checked(intent, claim), codec);
            }
            late = transacting.isLate();
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
            keepUnknown(attempt, attempt.settleFailure(failure), failure);
            throw failure;
        }
        Settlement settlement = attempt.settleNow(new Outcome.Completed(response));
        LostUnknowns.Lost unknown = attempt.unknown();
        if (unknown != null) {
            keepUnknown(attempt, settlement, null);
            return new Execution.Ran<>(value, unknown.outcome());
        }
        confirm(settlement);
        if (late
                && settlement instanceof Settlement.Settled settled
                && settled.outcome() instanceof Outcome.NotExecuted) {
            rollBackLate();
        } else {
            commit(ASK_AGAIN);
        }
        return Runner.executed(value, settlement);
    }

    /**
     * Of a failure nothing stays but an unknown outcome, where the code says that it is.
     *
     * @throws StoreException when the unknown outcome is not on record
     */
    private void keepUnknown(TransactionAttempt attempt, Settlement settlement, @Nullable Throwable failure) {
        boolean unknown = attempt.unknown() != null;
        try {
            confirm(settlement);
            if (unknown) {
                commit(STILL_UNKNOWN);
            }
        } catch (StoreException notKept) {
            Throwable thrown = failure == null ? notKept : failure;
            if (thrown != notKept) {
                thrown.addSuppressed(notKept);
            }
            if (unknown) {
                rollBack(thrown);
                recordUnknown(thrown);
            }
        }
    }

    /** The transaction is over. The store takes a connection of its own, which may be the one that is given back here. */
    private void recordUnknown(Throwable failure) {
        unsettled = true;
        giveBack();
        Settlement settlement =
                Objects.requireNonNull(transacting).settleUnknownAfterRollback().get(intent.identity());
        if (!(settlement instanceof Settlement.Settled)) {
            throw new StoreException(
                    "the outcome of " + intent.identity() + " is unknown, and this is not on record"
                            + (settlement instanceof Settlement.Unconfirmed
                                    ? " yet"
                                    : ": the key was claimed again before")
                            + ". Find out what happened before you repeat it; a repetition may have the effect twice",
                    OutcomeUnknownException.isIn(failure)
                            ? failure
                            : new OutcomeUnknownException("the work has declared its outcome unknown", failure));
        }
    }

    private static void confirm(Settlement settlement) {
        if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
            throw unconfirmed.fault();
        }
    }

    private void commit(String whenNotConfirmed) {
        try {
            unsettled = true;
            connection.commit();
            ended = true;
        } catch (SQLException | RuntimeException e) {
            String message = "the commit of " + intent.identity() + " was not confirmed: " + whenNotConfirmed;
            throw reported(context, intent, "commit", message, e);
        }
        if (transacting != null) {
            transacting.committed();
        }
        if (completion != null) {
            context.near().keep(completion);
        }
    }

    /** Undoes work that was declared as not executed, which no savepoint can. */
    private void rollBackLate() {
        StoreException notUndone = new StoreException("the work of " + intent.identity() + " could not be undone");
        rollBack(notUndone);
        if (!ended) {
            throw notUndone;
        }
    }

    private void rollBack(Throwable failure) {
        if (ended || givenBack) {
            return;
        }
        try {
            connection.rollback();
            ended = true;
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static StoreException reported(
            Context context, Intent intent, String verb, String message, Exception cause) {
        StoreException fault = new StoreException(message, cause);
        context.listeners().tell(new Event.StoreFault(intent.operation().name(), intent.identity(), verb, fault));
        return fault;
    }

    private void giveBack() {
        if (givenBack) {
            return;
        }
        givenBack = true;
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
