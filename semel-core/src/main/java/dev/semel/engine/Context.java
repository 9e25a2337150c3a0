package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.adapter.Claim;
import dev.semel.reconcile.StoredRecord;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of an engine share.
 *
 * @param explanations null where mismatches are not explained
 * @param closed set once, when the engine is closed
 */
record Context(
        Store store,
        Timer timer,
        Listeners listeners,
        Envelope envelope,
        Traces traces,
        NearReplays near,
        KeyForm keys,
        HolderNames holders,
        DownstreamKeys downstreamKeys,
        UnknownLog unknownLog,
        @Nullable Explanations explanations,
        AtomicBoolean closed) {

    static final String CLOSED = "this engine is closed";

    /** The coarsest clock of a store counts in milliseconds, and may see a lease or a retention end that much sooner. */
    static final long STORE_CLOCK_STEP_NANOS = 1_000_000;

    static Context of(Store store, Timer timer, EngineConfig config) {
        Listeners listeners = new Listeners(config.listeners());
        Envelope envelope = new Envelope(config.encryption());
        Explanations explanations = config.executing() && config.explanations() != null
                ? Explanations.on(store, timer, config.explanations(), envelope)
                : null;
        return new Context(
                store,
                timer,
                listeners,
                envelope,
                new Traces(config.tracer()),
                new NearReplays(config.nearCache(), timer, listeners, envelope, explanations),
                config.keyForm(),
                new HolderNames(),
                config.downstreamKeys(),
                new UnknownLog(),
                explanations,
                new AtomicBoolean());
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Returns what the store would answer, as far as memory has it; null when the store must be asked. */
    @Nullable
    Claim answerNear(Intent intent, Traces.OfClaim trace) {
        return isClosed() ? null : near.answer(intent, trace);
    }

    /** Reads a record by its stored identity, with its response opened. The record of a secret is not to be found. */
    Optional<StoredRecord> find(Identity identity) {
        if (identity.equals(ExplanationSecret.IDENTITY)) {
            return Optional.empty();
        }
        return Faults.answered(() -> store.blocking().find(identity)).map(record -> {
            if (record.response() == null) {
                return record;
            }
            return record.withResponse(
                    envelope.open(identity, record.response()).response());
        });
    }
}
