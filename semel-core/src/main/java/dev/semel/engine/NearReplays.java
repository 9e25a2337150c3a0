package dev.semel.engine;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.adapter.Claim;
import dev.semel.reconcile.StoredRecord;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers from memory: completed records do not change within their retention, so the store is not asked for them twice.
 *
 * <ol>
 *   <li>Only what the store has confirmed as completed and committed is kept. So whatever goes wrong here, nothing is
 *       executed because of it: a request gets an answer that was once on record, or the store is asked.
 *   <li>Retention is counted from before the store was asked, and ends a step of its clock early: an entry ends before its
 *       record does.
 *   <li>A request is judged as the store would judge it: by the fingerprint first. A mismatch that is to be explained is left to
 *       the store, which has what the explanation takes.
 *   <li>A cache that fails is reported, and then it is as if there were none.
 * </ol>
 */
final class NearReplays {

    private final @Nullable NearCache cache;
    private final Timer timer;
    private final Listeners listeners;
    private final Envelope envelope;
    private final @Nullable Explanations explanations;
    private final long keeper = new SecureRandom().nextLong();

    NearReplays(
            @Nullable NearCache cache,
            Timer timer,
            Listeners listeners,
            Envelope envelope,
            @Nullable Explanations explanations) {
        this.cache = cache;
        this.timer = timer;
        this.listeners = listeners;
        this.envelope = envelope;
        this.explanations = explanations;
    }

    /**
     * A completed record of which the store was asked, or told, at this moment.
     *
     * @param response sealed
     * @param recording as of that moment, or later
     */
    record Completion(
            Identity identity,
            Fingerprint fingerprint,
            Response response,
            Claim.Recording recording,
            long askedNanos) {}

    /** The recording of an attempt that completes at this moment. */
    static Claim.Recording justNow(String operation, long fence, Duration retention) {
        return new Claim.Recording(operation, fence, Duration.ZERO, retention);
    }

    /** The recording of a record that the store has shown as completed. */
    static Claim.Recording of(StoredRecord record) {
        return new Claim.Recording(
                record.operation(), record.fence(), record.unchangedFor(), record.retentionRemaining());
    }

    /** Keeps a record that is known to be committed. */
    void keep(Completion completion) {
        if (cache == null) {
            return;
        }
        Claim.Recording recording = completion.recording();
        long untilNanos = completion.askedNanos()
                + TimeUnit.NANOSECONDS.convert(recording.keptFor())
                - Context.STORE_CLOCK_STEP_NANOS;
        long leftNanos = untilNanos - timer.nanos();
        if (leftNanos <= 0) {
            return;
        }
        NearCache.Origin origin = new NearCache.Origin(
                recording.operation(),
                recording.fence(),
                completion.askedNanos() - TimeUnit.NANOSECONDS.convert(recording.age()));
        NearCache.Entry entry = new NearCache.Entry(
                completion.identity(), completion.fingerprint(), completion.response(), origin, keeper, untilNanos);
        try {
            cache.keep(entry, Duration.ofNanos(leftNanos));
        } catch (RuntimeException | Error e) {
            report("keep", e);
        }
    }

    /** What the store would answer, as far as it is known here. */
    @Nullable
    Claim answer(Intent intent, Traces.OfClaim trace) {
        if (cache == null) {
            return null;
        }
        long askedNanos = nanosForListeners();
        NearCache.Entry entry = find(cache, intent.identity());
        if (entry == null) {
            return null;
        }
        if (!intent.fingerprint().matches(entry.fingerprint())
                && !intent.sameAs().test(entry.fingerprint())) {
            if (explanations != null && explanations.mayExplain(intent)) {
                return null;
            }
            Refusal mismatch = new Refusal.Mismatch();
            trace.refused(mismatch);
            listeners.tell(new Event.RefusedMismatch(intent.operation().name(), intent.identity(), since(askedNanos)));
            return new Claim.Refused(mismatch);
        }
        return replay(intent, entry, trace, askedNanos);
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(nanosForListeners() - nanos);
    }

    /** To look at the clock takes a good part of the time that a replay from memory takes. */
    private long nanosForListeners() {
        return listeners.isEmpty() ? 0 : timer.nanos();
    }

    private NearCache.@Nullable Entry find(NearCache asked, Identity identity) {
        try {
            NearCache.Entry entry = asked.find(identity).orElse(null);
            return entry != null && isGood(entry) ? entry : null;
        } catch (RuntimeException | Error e) {
            report("find", e);
            return null;
        }
    }

    /** A cache may drop entries late; what counts is what is seen here. */
    private boolean isGood(NearCache.Entry entry) {
        return entry.keeper() == keeper && timer.nanos() - entry.untilNanos() < 0;
    }

    private @Nullable Claim replay(Intent intent, NearCache.Entry entry, Traces.OfClaim trace, long askedNanos) {
        Envelope.Opened opened;
        try {
            opened = envelope.open(intent.identity(), entry.response());
        } catch (RuntimeException damaged) {
            report("open", damaged);
            forget(intent.identity());
            return null;
        }
        trace.replayed(true, opened.origin());
        listeners.tell(new Event.Replayed(intent.operation().name(), intent.identity(), true, since(askedNanos)));
        return new Claim.Recorded(opened.response(), opened.failure(), recording(entry));
    }

    private Claim.Recording recording(NearCache.Entry entry) {
        NearCache.Origin origin = entry.origin();
        long now = timer.nanos();
        return new Claim.Recording(
                origin.operation(),
                origin.fence(),
                Duration.ofNanos(now - origin.completedNanos()),
                Duration.ofNanos(Math.max(0, entry.untilNanos() - now)));
    }

    /** Drops what memory has of a record, so that the next request asks the store. */
    void forget(Identity identity) {
        try {
            if (cache != null) {
                cache.forget(identity);
            }
        } catch (RuntimeException | Error e) {
            report("forget", e);
        }
    }

    private void report(String verb, Throwable fault) {
        listeners.tell(new Event.CacheFault(verb, fault));
    }
}
