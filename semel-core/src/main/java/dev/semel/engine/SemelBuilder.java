package dev.semel.engine;

import dev.semel.Attempt;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
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
    private KeyForm keyForm = KeyForm.CLEAR;
    private boolean executing = true;
    private @Nullable Duration pruneEvery;
    private Expiry expiry = Expiry.DELETE;

    SemelBuilder(Store store) {
        this.store = store;
    }

    /** Adds a listener, which gets every event. */
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
     * that is deleted before its retention ends is replayed for as long as the cache holds it.
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

    /**
     * Stores digests instead of keys, so that no key lies in the store in the clear. Every engine on the store uses the same
     * secret, for as long as the store is used: with another one, or without, engines refuse to start. The store must be empty
     * when it is used like this for the first time, and all engines without the secret must have ended.
     *
     * @param secret at least 32 random bytes
     * @throws IllegalArgumentException when the secret is too short
     */
    public SemelBuilder hashedKeys(byte[] secret) {
        keyForm = KeyForm.hashed(secret.clone());
        return this;
    }

    /**
     * Stores digests instead of keys, by a secret from a file or from configuration.
     *
     * @param base64 at least 32 random bytes in base64; white space around them does not count
     * @throws IllegalArgumentException when this is not base64, or the secret is too short; the message does not show it
     */
    public SemelBuilder hashedKeys(String base64) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the secret for hashed keys is not base64; `openssl rand -base64 32` makes a good one");
        }
        return hashedKeys(secret);
    }

    /**
     * Makes an engine for tools that look at records and settle them: it executes nothing. Without the secret of a store whose
     * keys are hashed, it finds records by their stored keys alone.
     */
    public SemelBuilder forOperators() {
        executing = false;
        return this;
    }

    /** Prunes on a schedule; without it only {@link SemelEngine#prune} does. */
    public SemelBuilder pruneEvery(Duration interval, Expiry newExpiry) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException(
                    "the interval between prunings is " + interval + ", it must be positive");
        }
        pruneEvery = interval;
        expiry = newExpiry;
        return this;
    }

    /**
     * Makes the engine.
     *
     * @throws StoreException when keys in the store have another form than this engine's, or the store cannot be asked
     */
    public SemelEngine build() {
        EngineConfig config = new EngineConfig(
                List.copyOf(listeners),
                encryption,
                nearCache,
                tracer,
                new DownstreamKeys(downstreamSecret),
                keyForm,
                executing,
                pruneEvery,
                expiry);
        if (timer != null) {
            return new Engine(store, timer, config);
        }
        SystemTimer own = new SystemTimer();
        try {
            return new Engine(store, own, config);
        } catch (RuntimeException | Error refused) {
            own.close();
            throw refused;
        }
    }
}
