package dev.semel.engine;

import dev.semel.Codec;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.Step;
import dev.semel.StoreException;
import dev.semel.reconcile.Backoff;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.spi.RequestVerbs.StepAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an attempt and of the attempts before it: which are recorded, and which one is in doubt.
 *
 * <ol>
 *   <li>A step starts only when the one before it is recorded under a live fence. So of all steps that are not recorded,
 *       only the first can have been begun by an attempt that has vanished.
 *   <li>When that step is recorded, the doubt ends, here and in the store.
 *   <li>How long ago it was begun is counted by the store's clock up to the claim, and by elapsed time from before the
 *       claim was asked for: never too short.
 *   <li>After a step that was done and could not be recorded no other begins, and the attempt can no longer be settled as not
 *       executed.
 * </ol>
 */
final class Recovery {

    /** With their pauses these take a few seconds at most: a lost connection is replaced, and the lease still lives. */
    private static final int TRIES = 3;

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofMillis(500));

    private static final Outcome NOT_RECORDED = new Outcome.Unknown("step_not_recorded");

    private final Context context;
    private final String operation;
    private final Lease lease;
    private final Instant claimedAt;
    private final long claimedNanos;
    private final AtomicBoolean stepping = new AtomicBoolean();
    private volatile Steps steps;
    private volatile @Nullable Instant doubtSince;
    private volatile @Nullable Step notRecorded;

    Recovery(Context context, StoredRecord granted, long claimedNanos) {
        this.context = context;
        this.operation = granted.operation();
        this.lease = granted.lease();
        this.claimedAt = granted.times().asOf();
        this.claimedNanos = claimedNanos;
        this.steps = granted.steps();
        this.doubtSince = granted.times().doubtSince();
    }

    /** Overrules "not executed" and failures while a step is in doubt: an exception does not undo a step that was done. */
    Outcome unknownIfStepInDoubt(Outcome outcome, boolean failure) {
        boolean denied = failure || outcome instanceof Outcome.NotExecuted;
        boolean doing = notRecorded != null || stepping.get();
        return doing && denied ? NOT_RECORDED : outcome;
    }

    /** Refuses to send a key again that its receiver may have forgotten. */
    void requireHonoured(String purpose, Duration honoured) {
        Instant since = doubtSince;
        if (since == null) {
            return;
        }
        Duration age =
                Duration.between(since, claimedAt).plusNanos(context.timer().nanos() - claimedNanos);
        if (age.compareTo(honoured) >= 0) {
            throw new OutcomeUnknownException("an earlier attempt may have sent the key for '" + purpose
                    + "' longer ago than it is honoured (" + honoured + "): look its outcome up");
        }
    }

    <T extends @Nullable Object, E extends Exception> T step(
            LiveAttempt attempt, Step step, Codec<T> codec, Step.CheckedWork<T, E> work) throws E {
        if (!stepping.compareAndSet(false, true)) {
            throw new IllegalStateException("step '" + step.name()
                    + "' was begun while another one was running: steps run one after the other");
        }
        try {
            Optional<Response> recorded = steps.find(step.name());
            if (recorded.isPresent()) {
                return replayed(step, codec, recorded.get());
            }
            requireSafe(attempt, step);
            T value = work.run(attempt.downstreamKey(step.name()));
            record(attempt, step, codec, value);
            return value;
        } finally {
            stepping.set(false);
        }
    }

    /** A result that cannot be read proves that the step was done: no policy for failures may take it for anything less. */
    private <T extends @Nullable Object> T replayed(Step step, Codec<T> codec, Response recorded) {
        try {
            return codec.decode(context.envelope()
                    .open(lease.identity(), recorded)
                    .response()
                    .bytes());
        } catch (RuntimeException unreadable) {
            throw new OutcomeUnknownException(
                    "step '" + step.name() + "' was done by an earlier attempt, but its result cannot be read",
                    unreadable);
        }
    }

    private void requireSafe(LiveAttempt attempt, Step step) {
        Step before = notRecorded;
        if (before != null) {
            throw new OutcomeUnknownException("step '" + step.name() + "' was not begun, since step '" + before.name()
                    + "' could not be recorded");
        }
        if (!attempt.stillOwner()) {
            throw new OutcomeUnknownException(
                    "step '" + step.name() + "' was not begun, since this attempt has lost its lease or was settled");
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

    private <T extends @Nullable Object> void record(LiveAttempt attempt, Step step, Codec<T> codec, T value) {
        notRecorded = step;
        Response sealed = sealed(step, codec, value);
        if (write(step, sealed) == StepAnswer.LOST) {
            attempt.lose();
            throw new OutcomeUnknownException("step '" + step.name() + "' was done, but the lease was lost meanwhile");
        }
        steps = steps.plus(Steps.of(step.name(), sealed));
        doubtSince = null;
        notRecorded = null;
    }

    private <T extends @Nullable Object> Response sealed(Step step, Codec<T> codec, T value) {
        try {
            return context.envelope().seal(lease.identity(), Response.of(codec.encode(value)), false);
        } catch (Throwable notEncodable) {
            throw unrecorded(step, notEncodable);
        }
    }

    private StepAnswer write(Step step, Response result) {
        for (int number = 1; ; number++) {
            try {
                return Faults.answered(() -> context.store().blocking().step(lease, step.name(), result));
            } catch (StoreException fault) {
                context.listeners().tell(new Event.StoreFault(operation, lease.identity(), "step", fault));
                if (number == TRIES) {
                    throw unrecorded(step, fault);
                }
                pause(step, BACKOFF.delay(number - 1));
            }
        }
    }

    private void pause(Step step, Duration delay) {
        try {
            context.timer().pause(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unrecorded(step, e);
        }
    }

    private static OutcomeUnknownException unrecorded(Step step, Throwable cause) {
        return new OutcomeUnknownException("step '" + step.name() + "' was done, but could not be recorded", cause);
    }
}
