package dev.semel.internal;

import dev.semel.Codec;
import dev.semel.Lease;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.Step;
import dev.semel.StepWork;
import dev.semel.StoreException;
import dev.semel.spi.StepAnswer;
import dev.semel.spi.StepStore;
import dev.semel.spi.Steps;
import dev.semel.spi.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt knows of the attempts before it: which steps are recorded, and which one is in doubt.
 *
 * <ol>
 *   <li>A step starts only when the one before it is recorded under a live fence. So of all steps that are not recorded,
 *       only the first can have been begun by an attempt that has vanished.
 *   <li>When that step is recorded, the doubt ends, here and in the store.
 *   <li>How long ago it was begun is counted by the store's clock up to the claim, and by elapsed time from before the
 *       claim was asked for: never too short.
 * </ol>
 */
final class Recovery {

    private static final int TRIES = 3;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofMillis(500));

    private final Engine engine;
    private final Lease lease;
    private final Instant claimedAt;
    private final long claimedNanos;
    private final AtomicBoolean stepping = new AtomicBoolean();
    private volatile Steps steps;
    private volatile @Nullable Instant doubtSince;

    Recovery(Engine engine, StoredRecord granted, long claimedNanos) {
        this.engine = engine;
        this.lease = granted.lease();
        this.claimedAt = granted.times().asOf();
        this.claimedNanos = claimedNanos;
        this.steps = granted.steps();
        this.doubtSince = granted.times().doubtSince();
    }

    /** Refuses to send a key again that its receiver may have forgotten. */
    void requireHonoured(String purpose, Duration honoured) {
        Instant since = doubtSince;
        if (since == null) {
            return;
        }
        Duration age =
                Duration.between(since, claimedAt).plusNanos(engine.timer().nanos() - claimedNanos);
        if (age.compareTo(honoured) >= 0) {
            throw new OutcomeUnknownException("an earlier attempt may have sent the key for '" + purpose
                    + "' longer ago than it is honoured (" + honoured + "): look its outcome up");
        }
    }

    <T extends @Nullable Object, E extends Exception> T step(
            LiveAttempt attempt, Step step, Codec<T> codec, StepWork<T, E> work) throws E {
        if (!(engine.store() instanceof StepStore store)) {
            throw new UnsupportedOperationException("this store cannot record steps");
        }
        if (!stepping.compareAndSet(false, true)) {
            throw new IllegalStateException("step '" + step.name()
                    + "' was begun while another one was running: steps run one after the other");
        }
        try {
            Optional<Response> recorded = steps.find(step.name());
            if (recorded.isPresent()) {
                return codec.decode(engine.envelope()
                        .open(lease.identity(), recorded.get())
                        .response()
                        .bytes());
            }
            requireSafe(attempt, step);
            T value = work.run(attempt.downstreamKey(step.name()));
            record(store, step, codec, value);
            return value;
        } finally {
            stepping.set(false);
        }
    }

    private void requireSafe(LiveAttempt attempt, Step step) {
        if (!attempt.stillOwner()) {
            throw new OutcomeUnknownException("the lease was lost before step '" + step.name() + "' began");
        }
        if (doubtSince == null) {
            return;
        }
        if (step.deduplicated() == null) {
            throw new OutcomeUnknownException("an earlier attempt may have done step '" + step.name()
                    + "' without recording it, and its provider does not recognize a repetition");
        }
        requireHonoured(step.name(), step.deduplicated());
    }

    private <T extends @Nullable Object> void record(StepStore store, Step step, Codec<T> codec, T value) {
        Response sealed;
        try {
            sealed = engine.envelope().seal(lease.identity(), Response.of(codec.encode(value)), false);
        } catch (RuntimeException notEncodable) {
            throw unrecorded(step, notEncodable);
        }
        if (write(store, step, sealed) == StepAnswer.LOST) {
            throw new OutcomeUnknownException("step '" + step.name() + "' was done, but the lease was lost meanwhile");
        }
        steps = steps.plus(Steps.of(step.name(), sealed));
        doubtSince = null;
    }

    private StepAnswer write(StepStore store, Step step, Response result) {
        for (int number = 1; ; number++) {
            try {
                return Faults.await(store.step(lease, step.name(), result));
            } catch (StoreException fault) {
                if (number == TRIES) {
                    throw unrecorded(step, fault);
                }
                pause(step, BACKOFF.delay(number - 1));
            }
        }
    }

    private void pause(Step step, Duration delay) {
        try {
            engine.timer().pause(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unrecorded(step, e);
        }
    }

    private static OutcomeUnknownException unrecorded(Step step, Exception cause) {
        return new OutcomeUnknownException("step '" + step.name() + "' was done, but could not be recorded", cause);
    }
}
