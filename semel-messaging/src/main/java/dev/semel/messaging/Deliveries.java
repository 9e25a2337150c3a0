package dev.semel.messaging;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Failures;
import dev.semel.Intent;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.engine.SemelEngine;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import javax.sql.DataSource;

/** Translates claims, failures and settlements into what the broker does with a message. */
final class Deliveries {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging");

    private final SemelEngine semel;
    private final int maxAttempts;
    private final UnstartedGrants unstarted = new UnstartedGrants();
    private final FailureCounts failures;

    Deliveries(SemelEngine semel, int maxAttempts) {
        this.semel = semel;
        this.maxAttempts = maxAttempts;
        this.failures = new FailureCounts(semel);
    }

    /** For a message whose id could not be read. */
    static Delivery unidentified(RuntimeException why) {
        if (why instanceof IllegalArgumentException) {
            return new Delivery.DeadLetter(Delivery.DeadLetter.ID_INVALID);
        }
        LOG.log(
                System.Logger.Level.ERROR,
                "a message was not handled: reading its id failed; the broker redelivers it",
                why);
        return new Delivery.Redeliver("message_id_unresolvable");
    }

    static Delivery reused() {
        return new Delivery.DeadLetter(Delivery.DeadLetter.ID_REUSED);
    }

    static Delivery unavailable(StoreException fault) {
        LOG.log(
                System.Logger.Level.WARNING,
                "a message was not handled: the store is unavailable; the broker redelivers it",
                fault);
        return new Delivery.Redeliver("store_unavailable");
    }

    /** For a claim that was not granted. */
    static Delivery notGranted(Claim claim) {
        if (claim instanceof Claim.Recorded recorded) {
            return HandledRecord.duplicate(recorded.response());
        }
        return refused(((Claim.Refused) claim).why());
    }

    private static Delivery refused(Refusal why) {
        if (why instanceof Refusal.Mismatch) {
            return reused();
        }
        if (why instanceof Refusal.KeyExpired) {
            return new Delivery.DeadLetter(Delivery.DeadLetter.ID_EXPIRED);
        }
        if (why instanceof Refusal.KeyFromFuture) {
            return new Delivery.DeadLetter(Delivery.DeadLetter.ID_FROM_FUTURE);
        }
        return new Delivery.Redeliver(why instanceof Refusal.OutcomeUnknown ? "outcome_unknown" : "in_progress");
    }

    /** The outcome of an attempt whose handler failed. */
    Outcome failed(RunningAttempt attempt, Throwable failure) {
        return failed(attempt, failure, attempt.judge(failure));
    }

    private Outcome failed(RunningAttempt attempt, Throwable failure, Failures meaning) {
        String reason = HandledRecord.reasonOf(failure);
        int number = attempt.number() - unstarted.count(attempt.lease().identity());
        LOG.log(
                System.Logger.Level.WARNING,
                "attempt " + number + " to handle message " + attempt.lease().identity() + " failed",
                failure);
        return switch (meaning) {
            case RETRY ->
                number < maxAttempts
                        ? new Outcome.NotExecuted(Delivery.Redeliver.HANDLER_FAILED)
                        : HandledRecord.dead(reason);
            case REPLAY -> HandledRecord.dead(reason);
            case RECONCILE -> new Outcome.Unknown(Delivery.Redeliver.HANDLER_FAILED);
        };
    }

    /** The outcome of an attempt that was granted and whose handler was not called. */
    Outcome notStarted(RunningAttempt attempt, String why) {
        unstarted.add(attempt.lease().identity());
        return new Outcome.NotExecuted(why);
    }

    /** For an attempt that ended with this outcome and whose settlement the store answered so. */
    static Delivery settled(Outcome outcome, Settlement settlement) {
        if (settlement instanceof Settlement.LeaseLost) {
            return new Delivery.Redeliver("lease_lost");
        }
        if (!(settlement instanceof Settlement.Settled settled)) {
            return new Delivery.Redeliver("store_unavailable");
        }
        // The handler may have declared an outcome of its own.
        if (!(settled.outcome() instanceof Outcome.Completed) || !(outcome instanceof Outcome.Completed completed)) {
            return notCompleted(settled.outcome());
        }
        Delivery again = HandledRecord.duplicate(completed.response());
        return again instanceof Delivery.Acknowledge ? new Delivery.Acknowledge(false) : again;
    }

    private static Delivery notCompleted(Outcome outcome) {
        return new Delivery.Redeliver(
                outcome instanceof Outcome.NotExecuted released ? released.reason() : "outcome_unknown");
    }

    /** Work that runs in a transaction. */
    interface Transacted {
        void run(Connection connection, Attempt attempt) throws Exception;
    }

    Delivery inTransaction(Intent intent, DataSource dataSource, Transacted work) {
        try {
            Execution<String> execution =
                    semel.executeInTransaction(dataSource, intent, Codec.text(), (connection, attempt) -> {
                        work.run(connection, attempt);
                        return HandledRecord.HANDLED_TEXT;
                    });
            return executed(intent, execution);
        } catch (StoreException fault) {
            // The engine has logged the unknown outcome that it could not record, and keeps trying to record it.
            return OutcomeUnknownException.isIn(fault) ? new Delivery.Redeliver("outcome_unknown") : unavailable(fault);
        } catch (Throwable failure) {
            Delivery delivery = rolledBack(intent, failure);
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return delivery;
        }
    }

    private Delivery executed(Intent intent, Execution<String> execution) {
        if (execution instanceof Execution.Refused<String> refused) {
            return refused.why() instanceof Refusal.OutcomeUnknown && failures.released(intent)
                    ? new Delivery.Redeliver(Delivery.Redeliver.HANDLER_FAILED)
                    : refused(refused.why());
        }
        if (execution instanceof Execution.Replayed<String> replayed) {
            return HandledRecord.duplicate(Response.of(replayed.value().getBytes(StandardCharsets.UTF_8)));
        }
        if (execution instanceof Execution.Ran<String> ran) {
            return ran.outcome() instanceof Outcome.Completed
                    ? new Delivery.Acknowledge(false)
                    : notCompleted(ran.outcome());
        }
        return new Delivery.Redeliver("store_unavailable");
    }

    /**
     * Counts a failed attempt outside of the transaction, whose rollback removed the attempt's record. An unknown outcome is
     * recorded already: the claim that would count it is refused.
     */
    private Delivery rolledBack(Intent intent, Throwable failure) {
        try {
            Claim claim = failures.begin(intent);
            if (!(claim instanceof Claim.Granted granted)) {
                return notGranted(claim);
            }
            Outcome outcome = failed(granted.attempt(), failure, meaningOf(granted.attempt(), failure));
            return settled(
                    outcome,
                    granted.attempt().settle(outcome).toCompletableFuture().join());
        } catch (StoreException fault) {
            return unavailable(fault);
        }
    }

    /** A rollback proves that nothing was executed, also after an error or an interruption. */
    private static Failures meaningOf(RunningAttempt attempt, Throwable failure) {
        Failures meaning = attempt.judge(failure);
        return meaning == Failures.RECONCILE ? Failures.RETRY : meaning;
    }
}
