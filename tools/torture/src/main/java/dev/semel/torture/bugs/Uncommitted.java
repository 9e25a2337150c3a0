package dev.semel.torture.bugs;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.stores.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store that confirms some of its batches although they were rolled back: it answers what the tables would have allowed,
 * and they stay as they were.
 */
final class Uncommitted extends ForwardingStore {

    /** How many calls in a row are of one batch. */
    private static final int BATCH = 4;

    /** One batch of so many is rolled back: seldom enough that most of the run goes on as usual. */
    private static final int ONE_OF = 16;

    /** Numbers that were taken and rolled back; no store counts so far in a run. */
    private static final long FIRST_FENCE = 1_000_000_000;

    private final InstantSource clock;
    private final AtomicInteger claims = new AtomicInteger();
    private final AtomicInteger settlements = new AtomicInteger();
    private final AtomicLong fences = new AtomicLong(FIRST_FENCE);

    Uncommitted(Store inner, InstantSource clock) {
        super(inner);
        this.clock = clock;
    }

    private static boolean isRolledBack(AtomicInteger calls) {
        return calls.getAndIncrement() / BATCH % ONE_OF == ONE_OF - 1;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        if (!isRolledBack(claims)) {
            return super.claim(request);
        }
        return find(request.identity())
                .thenCompose(found -> found.isPresent()
                        ? super.claim(request)
                        : CompletableFuture.completedFuture(new ClaimAnswer.Granted(granted(request))));
    }

    private StoredRecord granted(ClaimRequest request) {
        Instant now = clock.instant();
        return new StoredRecord(
                request.identity(),
                request.operation(),
                request.fingerprint(),
                State.IN_PROGRESS,
                fences.getAndIncrement(),
                1,
                request.reexecutable(),
                request.holder(),
                new StoredRecord.Times(now, now, now, now, null, now.plus(request.lease()), null),
                null,
                null,
                null,
                Steps.NONE,
                null);
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        if (!isRolledBack(settlements)) {
            return super.settle(lease, outcome, retention);
        }
        return find(lease.identity())
                .thenCompose(found -> found.filter(record -> record.lease().equals(lease))
                                .filter(record -> record.state() == State.IN_PROGRESS)
                                .isPresent()
                        ? CompletableFuture.completedFuture(new SettleAnswer.Settled(State.IN_PROGRESS))
                        : super.settle(lease, outcome, retention));
    }
}
