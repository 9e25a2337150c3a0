package dev.semel.engine;

import dev.semel.Attempt;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Refusal;
import dev.semel.Retention.Expiry;
import dev.semel.Scope;
import dev.semel.Semel;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.TransactionClaims;
import dev.semel.key.KeyFinding;
import dev.semel.key.KeyHygiene;
import dev.semel.reconcile.Records;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The engine with everything that adapters and operators need beyond {@link Semel}: claims that the caller runs and settles
 * itself, records, unknown outcomes, pruning.
 */
public interface SemelEngine extends Semel {

    /** Starts to configure an engine on a store, which the engine closes when it is closed itself. */
    static Builder on(Store store) {
        return new Builder(store);
    }

    /**
     * Claims the right to execute, waiting as long as the operation allows; for adapters that run and settle themselves.
     *
     * @throws StoreException when the claim could not be made: nothing may be executed
     */
    Claim begin(Intent intent);

    /** Like {@link #begin}, without blocking while it waits. */
    CompletionStage<Claim> beginAsync(Intent intent);

    @Override
    TransactionClaims within(Connection connection);

    /**
     * Works within a transaction that has nothing else in it, for adapters that roll all of it back unless a settlement of their attempt
     * is confirmed as completed, or as unknown where it is not late. So {@link dev.semel.Operation.ClaimTime#LATE} applies.
     */
    TransactionClaims withinOwn(Connection connection);

    /**
     * Runs the task; claims that it begins with {@link #beginAsync}, and attempts that it settles, go to the store together
     * when it has returned, as far as the store can. So the task must not wait for any of them. For callers that have many at
     * once, such as a batch of messages.
     */
    void together(Runnable task);

    /**
     * Inspects a key that a client chose, before it is claimed. Listeners get each {@link Event.PoorKey}; the log gets at most
     * one an hour for each operation. For adapters; {@link #execute} and {@link #begin} inspect no key.
     *
     * @param hygiene reported with the event, except for {@link KeyHygiene#IGNORE}; the caller does the refusing
     * @return what speaks against the key; empty when nothing does, or when keys are ignored
     */
    Optional<KeyFinding> inspect(Operation operation, Scope scope, Key chosen, KeyHygiene hygiene);

    /**
     * Asks the guard of an intent without a claim and without the store, so that its answer cannot depend on what is on record.
     * Claims ask it again where they find a recorded response.
     *
     * @param mayBlock whether the guard may use the calling thread
     * @return the refusal; empty where the guard allows, or where there is none. The stage never fails
     */
    CompletionStage<Optional<Refusal>> askGuard(Intent intent, boolean mayBlock);

    /** Asks a guard about a record that a caller wants to see, and waits; empty where the guard allows. */
    Optional<Refusal> askGuard(Intent.Guard guard, StoredRecord record);

    /**
     * Returns the identity under which the store has the record of what a client sent: the same one, unless
     * {@link Builder#hashedKeys keys are hashed}. This interface takes keys as clients send them;
     * {@link UnknownOutcomes}, leases and records have them as they are stored.
     */
    Identity stored(Identity sent);

    /**
     * Returns the identity under which the store has the record that a person names, by the key that the client sent or by the
     * one that records show.
     *
     * @throws StoreException when the key is in the clear, keys in this store are hashed, and this engine has no secret
     */
    Identity named(Identity typed);

    /** Reads a record, with the response that was recorded. Never executes anything. */
    Optional<StoredRecord> find(Identity identity);

    /**
     * Settles an unknown outcome on evidence, for webhooks and other sources that learn the outcome.
     *
     * @param operation supplies the retention of the settled record
     * @param identity with the key as the client sent it
     * @param source of the evidence, such as {@code provider-webhook}; the verdict's detail completes it
     */
    default Reconciliation settle(Operation operation, Identity identity, Verdict.Final verdict, String source) {
        return unknownOutcomes().settle(stored(identity), operation.retention(), verdict, source);
    }

    /** Returns the records that wait for evidence. */
    UnknownOutcomes unknownOutcomes();

    /** Returns the records in any state, for operators. */
    Records records();

    /**
     * Prunes every record that is past its retention, in batches that are short enough not to delay requests.
     *
     * @return how many records were removed or marked
     */
    long prune(Expiry expiry);

    /** Configures an engine; everything has a default. */
    final class Builder {

        private final Store store;
        private final List<SemelListener> listeners = new ArrayList<>();
        private @Nullable Timer timer;
        private @Nullable EncryptionKeys encryption;
        private @Nullable NearCache nearCache;
        private @Nullable Tracer tracer;
        private byte[] downstreamSecret = new byte[0];
        private KeyForm keyForm = KeyForm.CLEAR;
        private @Nullable ExplanationSecret explanations;
        private boolean executing = true;
        private @Nullable Duration pruneEvery;
        private Expiry expiry = Expiry.DELETE;

        private Builder(Store store) {
            this.store = store;
        }

        /** Adds a listener, which gets every event. */
        public Builder listener(SemelListener listener) {
            listeners.add(listener);
            return this;
        }

        /** Replaces the engine's sense of elapsed time; tests use a manual one. */
        public Builder timer(Timer newTimer) {
            timer = newTimer;
            return this;
        }

        /** Encrypts recorded responses; without it they are stored as they are. */
        public Builder encryption(EncryptionKeys keys) {
            encryption = keys;
            return this;
        }

        /**
         * Keeps completed records in memory and replays them without asking the store; without it every request asks. A record
         * that is deleted before its retention ends is replayed for as long as the cache holds it.
         */
        public Builder nearCache(NearCache cache) {
            nearCache = cache;
            return this;
        }

        /**
         * Traces claims, executions and replays, and keeps with each recorded response where it was executed, so that a replay
         * can point there. Without it nothing is kept. Releases that know nothing of this refuse to replay such responses.
         */
        public Builder tracer(Tracer newTracer) {
            tracer = newTracer;
            return this;
        }

        /** Makes {@link Attempt#downstreamKey} unguessable for those who know scope and key but not this secret. */
        public Builder downstreamSecret(byte[] secret) {
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
        public Builder hashedKeys(byte[] secret) {
            keyForm = KeyForm.hashed(secret.clone());
            return this;
        }

        /**
         * Stores digests instead of keys, by a secret from a file or from configuration.
         *
         * @param base64 at least 32 random bytes in base64; white space around them does not count
         * @throws IllegalArgumentException when this is not base64, or the secret is too short; the message does not show it
         */
        public Builder hashedKeys(String base64) {
            return hashedKeys(decoded(base64, "the secret for hashed keys"));
        }

        private static byte[] decoded(String base64, String what) {
            try {
                return Base64.getDecoder().decode(base64.strip());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(what + " is not base64; `openssl rand -base64 32` makes a good one");
            }
        }

        /**
         * Says with a mismatch in what the requests differ, by keyed digests that are stored with each claim whose intent has
         * {@linkplain Intent#detailedBy details}. The secret is a random one that lies in a record of the store, encrypted where
         * {@linkplain #encryption responses} are. Without this, nothing is computed and nothing is stored.
         */
        public Builder explainMismatches() {
            explanations = ExplanationSecret.inTheStore();
            return this;
        }

        /**
         * Says with a mismatch in what the requests differ, by digests under this secret, so that a copy of the store alone does
         * not serve to test guesses of what requests contained. Mismatches with records that were claimed under another secret
         * are not explained.
         *
         * @param secret at least 32 random bytes
         * @throws IllegalArgumentException when the secret is too short
         */
        public Builder explainMismatches(byte[] secret) {
            explanations = ExplanationSecret.given(secret);
            return this;
        }

        /**
         * Says with a mismatch in what the requests differ, by a secret from a file or from configuration.
         *
         * @param base64 at least 32 random bytes in base64; white space around them does not count
         * @throws IllegalArgumentException when this is not base64, or the secret is too short; the message does not show it
         */
        public Builder explainMismatches(String base64) {
            return explainMismatches(decoded(base64, "the secret for explained mismatches"));
        }

        /**
         * Makes an engine for tools that look at records and settle them: it executes nothing. Without the secret of a store whose
         * keys are hashed, it finds records by their stored keys alone.
         */
        public Builder forOperators() {
            executing = false;
            return this;
        }

        /** Prunes on a schedule; without it only {@link SemelEngine#prune} does. */
        public Builder pruneEvery(Duration interval, Expiry newExpiry) {
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
                    explanations,
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
}
