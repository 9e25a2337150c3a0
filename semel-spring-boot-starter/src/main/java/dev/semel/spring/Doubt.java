package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.Claim;
import dev.semel.Codec;
import dev.semel.Intent;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.Semel;
import dev.semel.Step;
import dev.semel.StepWork;
import dev.semel.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What a method in a transaction says of an outcome that nobody knows.
 *
 * <p>Spring's own advice has the transaction rolled back when the method throws, and the record of the doubt is gone with
 * it: the next call would execute what may have happened. So it is recorded once more when the transaction is over, outside
 * of it; before, the claim within it would be in the way.
 */
final class Doubt {

    private static final System.Logger LOG = System.getLogger("dev.semel.spring");

    /** Deeper than any framework wraps; causes may form a circle. */
    private static final int DEEPEST_CAUSE = 100;

    private final Semel semel;
    private final Intent intent;
    private @Nullable String reason;
    private boolean ran;
    private boolean declared;
    private boolean left;

    Doubt(Semel semel, Intent intent) {
        this.semel = semel;
        this.intent = intent;
    }

    /** The attempt as the method sees it. */
    Attempt heardBy(Attempt attempt) {
        ran = true;
        return new Heard(attempt);
    }

    private void declared(@Nullable String why) {
        declared = true;
        reason = why;
    }

    /** What was said to the attempt counts more than what is thrown. */
    void thrown(Throwable failure) {
        if (ran && !declared && isDoubtful(failure)) {
            reason = failure.getClass().getSimpleName();
        }
    }

    private static boolean isDoubtful(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof OutcomeUnknownException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** The transaction ends when its owner says so: what comes of the record is known then. */
    void outlivesTheCallersTransaction() {
        if (reason != null && TransactionSynchronizationManager.isSynchronizationActive()) {
            left = true;
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    if (status != STATUS_COMMITTED) {
                        record();
                    }
                }
            });
        }
    }

    /** The transaction is over, and was not committed for certain. */
    void outlivesTheTransaction() {
        if (reason != null && !left) {
            record();
        }
    }

    private void record() {
        String why = reason == null ? "" : reason;
        try {
            Claim claim = semel.begin(intent);
            if (claim instanceof Claim.Granted granted) {
                // Goes on in the background where the store does not confirm it.
                granted.attempt()
                        .settle(new Outcome.Unknown(why))
                        .toCompletableFuture()
                        .join();
            } else if (!(claim instanceof Refusal.OutcomeUnknown)) {
                LOG.log(
                        System.Logger.Level.ERROR,
                        "a call of {0} {1} has an unknown outcome, and was executed again before that could be recorded",
                        intent.operation().name(),
                        intent.identity());
            }
        } catch (StoreException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "a call of " + intent.operation().name() + " " + intent.identity()
                            + " has an unknown outcome that could not be recorded: a retry will execute again",
                    e);
        }
    }

    /** Hears what is said to an attempt. */
    private final class Heard implements Attempt {

        private final Attempt attempt;

        Heard(Attempt attempt) {
            this.attempt = attempt;
        }

        @Override
        public void notExecuted(String why) {
            declared(null);
            attempt.notExecuted(why);
        }

        @Override
        public void outcomeUnknown(String why) {
            declared(why);
            attempt.outcomeUnknown(why);
        }

        @Override
        public Lease lease() {
            return attempt.lease();
        }

        @Override
        public Operation operation() {
            return attempt.operation();
        }

        @Override
        public String downstreamKey(String purpose) {
            return attempt.downstreamKey(purpose);
        }

        @Override
        public String downstreamKey(String purpose, Duration honoured) {
            return attempt.downstreamKey(purpose, honoured);
        }

        @Override
        public <T extends @Nullable Object, E extends Exception> T step(Step step, Codec<T> codec, StepWork<T, E> work)
                throws E {
            return attempt.step(step, codec, work);
        }

        @Override
        public boolean stillOwner() {
            return attempt.stillOwner();
        }
    }
}
