package dev.semel.torture.bugs;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.engine.Store;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.FirstUse;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.stores.ForwardingStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Puts a mistake between an engine and its store. Those that are not a store's are made by the application. */
public final class PlantedBugs {

    private PlantedBugs() {}

    /**
     * Plants a bug; without one, or with one that is none of a store's, returns the store as it is.
     *
     * @param clock the application's, which no store should go by
     */
    public static Store plant(@Nullable Bug bug, Store store, InstantSource clock, Eraser eraser) {
        if (bug == null) {
            return store;
        }
        return switch (bug) {
            case TAKEOVER_ON_EXPIRY -> new Takeover(store);
            case UNFENCED_SETTLEMENT -> new Unfenced(store);
            case APPLICATION_CLOCK -> new WrongClock(store, clock);
            case RELEASE_AFTER_FAILED_WRITE -> new Releasing(store);
            case FENCE_RESET_ON_REUSE -> new ResetFences(store);
            case WAITER_DELETES -> new Deleting(store, eraser);
            case MISMATCH_IGNORED -> new Undiscerning(store);
            case GUESSED_NOT_EXECUTED -> new Guessing(store);
            case SWAPPED_ANSWERS -> new SwappedAnswers(store);
            case BATCH_NOT_COMMITTED -> new Uncommitted(store, clock);
            case TWINS_GRANTED -> new Twins(store);
            case LATE_RETRY_EXECUTES -> new Forgetful(store);
            case NO_SETTLE_WINDOW,
                    UNSCOPED_KEY,
                    TRUNCATED_RESPONSE,
                    DISPATCH_WHILE_DOWN,
                    TIMEOUT_IS_FAILURE,
                    NO_SWEEPER -> store;
        };
    }

    private static final class Takeover extends ForwardingStore {

        Takeover(Store inner) {
            super(inner);
        }

        @Override
        public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
            return super.claim(new ClaimRequest(
                    request.identity(),
                    request.operation(),
                    request.fingerprint(),
                    request.lease(),
                    true,
                    request.holder(),
                    request.firstUse()));
        }
    }

    private static final class Forgetful extends ForwardingStore {

        Forgetful(Store inner) {
            super(inner);
        }

        @Override
        public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
            return super.claim(request.withFirstUse(FirstUse.ANY_TIME));
        }
    }

    private static final class Unfenced extends ForwardingStore {

        Unfenced(Store inner) {
            super(inner);
        }

        @Override
        public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
            return find(lease.identity())
                    .thenCompose(record ->
                            super.settle(record.map(StoredRecord::lease).orElse(lease), outcome, retention));
        }
    }

    private static final class WrongClock extends ForwardingStore {

        private final InstantSource clock;

        WrongClock(Store inner, InstantSource clock) {
            super(inner);
            this.clock = clock;
        }

        @Override
        public List<StoredRecord> due(String operation, int limit, Duration hold) {
            return super.due(operation, limit, hold).stream()
                    .map(record -> Altered.asOf(record, clock.instant()))
                    .toList();
        }
    }

    private static final class Releasing extends ForwardingStore {

        private final Set<Lease> failed = ConcurrentHashMap.newKeySet();

        Releasing(Store inner) {
            super(inner);
        }

        @Override
        public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
            Outcome written = failed.contains(lease) ? new Outcome.NotExecuted("could_not_be_written") : outcome;
            return super.settle(lease, written, retention).whenComplete((answer, failure) -> {
                if (failure != null) {
                    failed.add(lease);
                }
            });
        }
    }

    private static final class Deleting extends ForwardingStore {

        private final Eraser eraser;

        Deleting(Store inner, Eraser eraser) {
            super(inner);
            this.eraser = eraser;
        }

        @Override
        public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
            return super.claim(request).thenCompose(answer -> {
                if (!(answer instanceof ClaimAnswer.Busy)) {
                    return CompletableFuture.completedFuture(answer);
                }
                eraser.erase(request.identity());
                return super.claim(request);
            });
        }
    }

    private static final class Undiscerning extends ForwardingStore {

        Undiscerning(Store inner) {
            super(inner);
        }

        @Override
        public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
            return super.claim(request)
                    .thenCompose(answer -> answer instanceof ClaimAnswer.Mismatch mismatch
                            ? super.claim(
                                    request.withFingerprint(mismatch.record().fingerprint()))
                            : CompletableFuture.completedFuture(answer));
        }
    }

    private static final class Guessing extends ForwardingStore {

        private static final Evidence GUESS = new Evidence("guess", "no answer for a while");

        Guessing(Store inner) {
            super(inner);
        }

        @Override
        public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
            return super.claim(request).thenCompose(answer -> {
                if (!(answer instanceof ClaimAnswer.Unknown unknown)) {
                    return CompletableFuture.completedFuture(answer);
                }
                reconcile(unknown.record().lease(), new Outcome.NotExecuted("guessed"), GUESS, Duration.ofHours(1));
                return super.claim(request);
            });
        }
    }
}
