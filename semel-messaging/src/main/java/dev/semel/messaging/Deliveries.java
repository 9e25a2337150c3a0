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
import dev.semel.adapter.Settlement;
import dev.semel.engine.SemelEngine;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import javax.sql.DataSource;

/** What claims, failures and settlements mean for the delivery of a message. */
final class Deliveries {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging");

    private final SemelEngine semel;
    private final int mostAttempts;
    private final GivenBack givenBack = new GivenBack();
    private final FailureCounts failures;

    Deliveries(SemelEngine semel, int mostAttempts) {
        this.semel = semel;
        this.mostAttempts = mostAttempts;
        this.failures = new FailureCounts(semel);
    }

    /** For a message of which nobody can say which one it is. */
    static Delivery notToldApart(RuntimeException why) {
        if (why instanceof IllegalArgumentException) {
            return new Delivery.DeadLetter(Delivery.DeadLetter.ID_INVALID);
        }
        LOG.log(System.Logger.Level.ERROR, "a message is not handled: it could not be told apart", why);
        return new Delivery.Redeliver("not_told_apart");
    }

    static Delivery reused() {
        return new Delivery.DeadLetter(Delivery.DeadLetter.ID_REUSED);
    }

    static Delivery unavailable(StoreException fault) {
        LOG.log(System.Logger.Level.WARNING, "a message is not handled: the store cannot be asked", fault);
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
        return new Delivery.Redeliver(why instanceof Refusal.OutcomeUnknown ? "outcome_unknown" : "in_progress");
    }

    /** What an attempt ends with whose handler has failed. */
    Outcome failed(RunningAttempt attempt, Throwable failure) {
        return failed(attempt, failure, attempt.judge(failure));
    }

    private Outcome failed(RunningAttempt attempt, Throwable failure, Failures meaning) {
        String reason = HandledRecord.reasonOf(failure);
        int number = attempt.number() - givenBack.times(attempt.lease().identity());
        LOG.log(
                System.Logger.Level.WARNING,
                "attempt " + number + " at a message failed: " + attempt.lease().identity(),
                failure);
        return switch (meaning) {
            case RETRY ->
                number < mostAttempts
                        ? new Outcome.NotExecuted(Delivery.Redeliver.HANDLER_FAILED)
                        : HandledRecord.dead(reason);
            case REPLAY -> HandledRecord.dead(reason);
            case RECONCILE -> new Outcome.Unknown(Delivery.Redeliver.HANDLER_FAILED);
        };
    }

    /** What an attempt ends with that was granted and not begun. */
    Outcome notBegun(RunningAttempt attempt, String why) {
        givenBack.once(attempt.lease().identity());
        return new Outcome.NotExecuted(why);
    }

    /** For an attempt that was settled with this outcome, as far as the store says. */
    static Delivery settled(Outcome outcome, Settlement settlement) {
        if (settlement instanceof Settlement.LeaseLost) {
            return new Delivery.Redeliver("lease_lost");
        }
        if (!(settlement instanceof Settlement.Settled settled)) {
            return new Delivery.Redeliver("store_unavailable");
        }
        // The handler may have said itself what became of it.
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

    /** What is done in a transaction. */
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
            // The engine has logged an unknown outcome that it could not record, and goes on recording it.
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
     * The transaction took its record along: the failed attempt is counted in one of its own. An unknown outcome is on record
     * by now, and is no count: the claim is refused.
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

    /** An error or an interruption proves nothing, but a rollback does. */
    private static Failures meaningOf(RunningAttempt attempt, Throwable failure) {
        Failures meaning = attempt.judge(failure);
        return meaning == Failures.RECONCILE ? Failures.RETRY : meaning;
    }
}
