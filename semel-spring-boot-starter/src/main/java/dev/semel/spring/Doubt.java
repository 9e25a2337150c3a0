package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.Claim;
import dev.semel.Intent;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.Semel;
import dev.semel.StoreException;
import dev.semel.http.HandlerAttempt;
import java.util.Optional;
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

    private final Semel semel;
    private final Intent intent;
    private @Nullable HandlerAttempt attempt;
    private Outcome otherwise = new Outcome.NotExecuted("rolled_back");
    private boolean left;

    Doubt(Semel semel, Intent intent) {
        this.semel = semel;
        this.intent = intent;
    }

    /** The attempt as the method sees it. */
    Attempt heardBy(Attempt given) {
        HandlerAttempt heard = new HandlerAttempt(given);
        attempt = heard;
        return heard;
    }

    void thrown(Throwable failure) {
        if (OutcomeUnknownException.isIn(failure)) {
            otherwise = new Outcome.Unknown(failure.getClass().getSimpleName());
        }
    }

    /** What was said to the attempt counts more than what was thrown; without an attempt nothing ran. */
    private Optional<Outcome.Unknown> doubt() {
        return attempt != null && attempt.effective(otherwise) instanceof Outcome.Unknown unknown
                ? Optional.of(unknown)
                : Optional.empty();
    }

    /** The transaction ends when its owner says so: what comes of the record is known then. */
    void outlivesTheCallersTransaction() {
        Outcome.Unknown doubt = doubt().orElse(null);
        if (doubt != null && TransactionSynchronizationManager.isSynchronizationActive()) {
            left = true;
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    if (status != STATUS_COMMITTED) {
                        record(doubt);
                    }
                }
            });
        }
    }

    /** The transaction is over, and was not committed for certain. */
    void outlivesTheTransaction() {
        if (!left) {
            doubt().ifPresent(this::record);
        }
    }

    private void record(Outcome.Unknown doubt) {
        try {
            Claim claim = semel.begin(intent);
            if (claim instanceof Claim.Granted granted) {
                // Goes on in the background where the store does not confirm it.
                granted.attempt().settle(doubt).toCompletableFuture().join();
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
}
