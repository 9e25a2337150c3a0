package dev.semel;

import dev.semel.internal.DownstreamKeys;
import dev.semel.internal.Engine;
import dev.semel.internal.EngineConfig;
import dev.semel.internal.SystemTimer;
import dev.semel.spi.NearCache;
import dev.semel.spi.Store;
import dev.semel.spi.Timer;
import dev.semel.spi.Tracer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Configures an engine; everything has a default. */
public final class SemelBuilder {

    private final Store store;
    private final List<SemelListener> listeners = new ArrayList<>();
    private @Nullable Timer timer;
    private @Nullable EncryptionKeys encryption;
    private @Nullable NearCache nearCache;
    private @Nullable Tracer tracer;
    private byte[] downstreamSecret = new byte[0];
    private @Nullable Duration pruneEvery;
    private Expiry expiry = Expiry.DELETE;

    SemelBuilder(Store store) {
        this.store = store;
    }

    /** Adds somebody who hears of every event. */
    public SemelBuilder listener(SemelListener listener) {
        listeners.add(listener);
        return this;
    }

    /** Replaces the engine's sense of elapsed time; tests use a manual one. */
    public SemelBuilder timer(Timer newTimer) {
        timer = newTimer;
        return this;
    }

    /** Encrypts recorded responses; without it they are stored as they are. */
    public SemelBuilder encryption(EncryptionKeys keys) {
        encryption = keys;
        return this;
    }

    /**
     * Keeps completed records in memory and replays them without asking the store; without it every request asks. A record
     * that somebody deletes before its retention ends is replayed for as long as the cache holds it.
     */
    public SemelBuilder nearCache(NearCache cache) {
        nearCache = cache;
        return this;
    }

    /**
     * Traces claims, executions and replays, and keeps with each recorded response where it was executed, so that a replay
     * can point there. Without it nothing is kept. Releases that know nothing of this refuse to replay such responses.
     */
    public SemelBuilder tracer(Tracer newTracer) {
        tracer = newTracer;
        return this;
    }

    /** Makes {@link Attempt#downstreamKey} unguessable for those who know scope and key but not this secret. */
    public SemelBuilder downstreamSecret(byte[] secret) {
        downstreamSecret = secret.clone();
        return this;
    }

    /** Prunes on a schedule; without it only {@link Semel#prune} does. */
    public SemelBuilder pruneEvery(Duration interval, Expiry newExpiry) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException(
                    "the interval between prunings is " + interval + ", it must be positive");
        }
        pruneEvery = interval;
        expiry = newExpiry;
        return this;
    }

    public Semel build() {
        return new Engine(
                store,
                timer == null ? new SystemTimer() : timer,
                new EngineConfig(
                        List.copyOf(listeners),
                        encryption,
                        nearCache,
                        tracer,
                        new DownstreamKeys(downstreamSecret),
                        pruneEvery,
                        expiry));
    }
}
