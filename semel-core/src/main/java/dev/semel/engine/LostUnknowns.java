package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Unknown outcomes whose own transaction may end without having recorded them.
 *
 * <ol>
 *   <li>One is announced before its transaction ends. A claim of this engine that is granted afterwards, and shows that the
 *       announced attempt is not on record, does not execute: it records the unknown outcome instead.
 *   <li>When the transaction is over and its commit is not confirmed, the key is claimed through the store's own connections
 *       and settled as unknown. That claim is not re-executable: once it is granted, the record can only become unknown. A
 *       repetition carries the same holder.
 *   <li>This is tried a few times while the caller waits. Then the caller gets {@link Settlement.Unconfirmed}, and it goes
 *       on in the background, within the bounds of {@link Settler}.
 *   <li>A key that is in progress is asked for again: the database may not have noticed yet that the transaction is over.
 *   <li>A record of a later attempt means that the key was claimed again first. This is the one case that cannot be mended:
 *       it is logged as an error.
 * </ol>
 */
final class LostUnknowns {

    private static final System.Logger LOG = System.getLogger("dev.semel");

    /** A caller is not kept longer than this between two tries; one try takes as long as the store's own timeouts. */
    private static final Duration LONGEST_FOREGROUND = Duration.ofSeconds(2);

    private final Context context;
    private final Settler settler;
    private final Semaphore background = new Semaphore(Settler.MOST_IN_BACKGROUND);
    private final Map<Identity, Lost> announced = new ConcurrentHashMap<>();
    private final Set<Lost> unrecorded = ConcurrentHashMap.newKeySet();

    LostUnknowns(Context context, Settler settler) {
        this.context = context;
        this.settler = settler;
    }

    /**
     * Announces an unknown outcome that a transaction is about to record, or to lose. The caller of {@code within} need not say
     * how the transaction ended, so that the announcement holds for the length of a lease.
     */
    Lost announce(Intent intent, StoredRecord granted, Outcome.Unknown outcome) {
        Lost lost = new Lost(intent, granted, outcome);
        guard(lost);
        later(intent.operation().lease(), () -> {
            if (!lost.recording) {
                forget(lost);
            }
        });
        return lost;
    }

    /** Whether the task was scheduled: a timer that is not the engine's own may be gone before the engine is closed. */
    private boolean later(Duration delay, Runnable task) {
        try {
            context.timer().after(delay, task);
            return true;
        } catch (RuntimeException timerIsGone) {
            return false;
        }
    }

    private void guard(Lost lost) {
        announced.merge(lost.identity(), lost, (before, now) -> before.recording ? before : now);
    }

    /** The outcome is on record, or is not to be recorded. */
    void forget(Lost lost) {
        announced.remove(lost.identity(), lost);
    }

    /**
     * Whether the key is that of an unknown outcome which is being recorded, of a request that means something else. A record
     * with this one's fingerprint would refuse the retries of that request.
     */
    boolean isOfAnother(Intent intent) {
        Lost lost = announced.get(intent.identity());
        return lost != null && lost.recording && !lost.isAbout(intent);
    }

    /** Whether the outcome of an attempt with this key may have to be recorded as unknown. */
    boolean isAnnounced(Identity identity) {
        return announced.containsKey(identity);
    }

    /** The announced unknown outcome that this grant shows to be missing from the record. */
    @Nullable
    Lost missingFrom(StoredRecord granted) {
        Lost lost = announced.get(granted.identity());
        if (lost == null) {
            return null;
        }
        if (granted.attempts() > lost.number && !lost.recording) {
            forget(lost);
            return null;
        }
        lost.helpers.add(granted.holder());
        return lost;
    }

    /** Records an unknown outcome whose transaction is over without a confirmed commit. Never fails. */
    Settlement record(Lost lost) {
        lost.recording = true;
        guard(lost);
        long endNanos = context.timer().nanos() + LONGEST_FOREGROUND.toNanos();
        int number = 0;
        do {
            number++;
            try {
                Settlement settlement = lost.answered(lost.askAndWait(), true);
                if (settlement != null) {
                    return settlement;
                }
            } catch (StoreException fault) {
                lost.failed(fault);
            }
        } while (number < Settler.FOREGROUND_TRIES && context.timer().nanos() - endNanos < 0 && pause(number));
        return goOnInBackground(lost, number);
    }

    private boolean pause(int number) {
        try {
            context.timer().pause(Settler.BACKOFF.delay(number - 1));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Settlement goOnInBackground(Lost lost, int number) {
        if (context.isClosed() || !background.tryAcquire()) {
            givenUp(lost);
        } else {
            unrecorded.add(lost);
            lost.log(Level.ERROR, "is not recorded yet, which is tried again in the background", lost.fault);
            schedule(lost, number);
        }
        return new Settlement.Unconfirmed(lost.fault);
    }

    private void schedule(Lost lost, int tries) {
        boolean scheduled = later(Settler.BACKOFF.delay(tries - 1), () -> {
            if (!context.isClosed()) {
                lost.ask().whenComplete((answer, failure) -> triedInBackground(lost, tries + 1, answer, failure));
            }
        });
        if (!scheduled && ended(lost)) {
            givenUp(lost);
        }
    }

    private void givenUp(Lost lost) {
        forget(lost);
        lost.log(Level.ERROR, "could not be recorded: a retry will execute it again", lost.fault);
    }

    private void triedInBackground(Lost lost, int tries, @Nullable ClaimAnswer answer, @Nullable Throwable failure) {
        if (answer == null) {
            lost.failed(Faults.ofStore(failure));
        } else if (lost.answered(answer, false) != null) {
            ended(lost);
            lost.log(Level.WARNING, "was recorded late, or was found to be settled", null);
            return;
        }
        if (tries < Settler.ALL_TRIES) {
            schedule(lost, tries);
        } else if (ended(lost)) {
            givenUp(lost);
        }
    }

    private boolean ended(Lost lost) {
        boolean first = unrecorded.remove(lost);
        if (first) {
            background.release();
        }
        return first;
    }

    /** Says of each unknown outcome that is still to be recorded that it is not going to be. */
    void close() {
        for (Lost lost : unrecorded) {
            if (ended(lost)) {
                lost.log(
                        Level.ERROR,
                        "was not recorded before the engine was closed: a retry will execute it again",
                        null);
            }
        }
        announced.clear();
    }

    /** One unknown outcome. */
    final class Lost {

        private final Intent intent;
        private final String holder;
        private final int number;
        private final Outcome.Unknown outcome;
        private final Set<String> helpers = ConcurrentHashMap.newKeySet();
        private volatile boolean recording;
        private volatile StoreException fault = new StoreException("the store was not asked");
        private volatile ClaimRequest request;

        Lost(Intent intent, StoredRecord granted, Outcome.Unknown outcome) {
            this.intent = intent;
            this.holder = granted.holder();
            this.number = granted.attempts();
            this.outcome = outcome;
            Operation operation = intent.operation();
            this.request = new ClaimRequest(
                    intent.identity(),
                    operation.name(),
                    granted.fingerprint(),
                    operation.lease(),
                    false,
                    context.holders().next());
            helpers.add(request.holder());
        }

        Identity identity() {
            return intent.identity();
        }

        Outcome.Unknown outcome() {
            return outcome;
        }

        /** Whether a request with the same key also means the same. */
        boolean isAbout(Intent other) {
            return request.fingerprint().matches(other.fingerprint())
                    || other.sameAs().test(request.fingerprint());
        }

        private CompletionStage<ClaimAnswer> ask() {
            return Faults.staged(() -> context.store().claim(request));
        }

        private ClaimAnswer askAndWait() {
            return Faults.answered(() -> context.store().blocking().claim(request));
        }

        private void failed(StoreException why) {
            fault = why;
            context.listeners().tell(new Event.StoreFault(intent.operation().name(), identity(), "claim", why));
        }

        /** What became of it, or null where the store has to be asked again. */
        private @Nullable Settlement answered(ClaimAnswer answer, boolean wait) {
            if (answer instanceof ClaimAnswer.Busy) {
                fault = new StoreException("the key of " + identity()
                        + " is in progress: another attempt holds it, or the transaction has not ended yet");
                return null;
            }
            if (answer instanceof ClaimAnswer.Mismatch mismatch && isStoredOtherwise(mismatch.record())) {
                return null;
            }
            forget(this);
            if (answer instanceof ClaimAnswer.Granted granted) {
                return settled(granted.lease(), wait);
            }
            if (answer instanceof ClaimAnswer.Unknown unknown) {
                warnOf(unknown.record());
                return new Settlement.Settled(outcome);
            }
            StoredRecord found = answer instanceof ClaimAnswer.Recorded recorded
                    ? recorded.record()
                    : ((ClaimAnswer.Mismatch) answer).record();
            warnOf(found);
            return helpers.contains(found.holder()) ? new Settlement.Settled(outcome) : new Settlement.LeaseLost();
        }

        /** Whether the record has another version of the same fingerprint, which the next question asks with. */
        private boolean isStoredOtherwise(StoredRecord record) {
            boolean otherwise = !request.fingerprint().matches(record.fingerprint())
                    && intent.sameAs().test(record.fingerprint());
            if (otherwise) {
                request = request.withFingerprint(record.fingerprint());
            }
            return otherwise;
        }

        private Settlement settled(Lease lease, boolean wait) {
            Operation operation = intent.operation();
            long now = context.timer().nanos();
            if (wait) {
                return settler.settleAndWait(operation, lease, request.fingerprint(), outcome, now);
            }
            CompletionStage<Settlement> unused = settler.settle(operation, lease, request.fingerprint(), outcome, now);
            return new Settlement.Settled(outcome);
        }

        private void warnOf(StoredRecord record) {
            if (!record.holder().equals(holder) && !helpers.contains(record.holder())) {
                log(
                        Level.ERROR,
                        "was claimed again before that could be recorded: it may have been executed twice",
                        null);
            }
        }

        private void log(Level level, String what, @Nullable Throwable cause) {
            LOG.log(
                    level,
                    "the unknown outcome of " + intent.operation().name() + " " + identity() + " " + what,
                    cause);
        }
    }
}
