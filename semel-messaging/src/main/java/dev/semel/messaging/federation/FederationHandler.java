package dev.semel.messaging.federation;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.RecordedFailureException;
import dev.semel.Refusal;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import dev.semel.reconcile.StoredRecord;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Executes the actions that other systems request, once per message, and answers each repetition with the first result.
 *
 * <ol>
 *   <li>A message for another recipient, a stale message, and one with an unknown action are refused without calling the store.
 *   <li>A message is identified by its id, its sender and this system. The same id with another action or payload is refused.
 *       The timestamp is not compared: a retry has its own.
 *   <li>A repeated message is answered from its record. So is a failure, unless the action's operation retries or reconciles
 *       failures.
 * </ol>
 *
 * <p>The caller must authenticate the sender first: by the message's signature, or by its connection.
 */
public final class FederationHandler {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging");

    private static final String JSON = "application/json";

    private static final Codec<Payload> PAYLOAD = Codec.of(Payload::bytes, Payload::of);

    private record Action(Operation operation, FederationAction code) {}

    private final SemelEngine semel;
    private final String self;
    private final Duration tolerance;
    private final InstantSource clock;
    private final Map<String, Action> actions;

    private FederationHandler(Builder builder) {
        this.semel = builder.semel;
        this.self = builder.self;
        this.tolerance = builder.tolerance;
        this.clock = builder.clock;
        this.actions = Map.copyOf(builder.actions);
    }

    /**
     * Starts to configure a handler.
     *
     * @param self the name by which other systems address this one
     */
    public static Builder of(SemelEngine semel, String self) {
        return new Builder(semel, self);
    }

    /** The identity of a message's record: its id, in the scope {@code federation/FROM/TO}. */
    public static Identity identityOf(FederationMessage message) {
        return new Identity(Scope.of("federation", message.from(), message.to()), Key.of(message.id()));
    }

    /** Executes the requested action unless it was executed before. What the action throws is not rethrown. */
    public FederationReply handle(FederationMessage message) {
        if (!message.to().equals(self)) {
            return new FederationReply.Refused(FederationReply.Refused.Fault.WRONG_RECIPIENT);
        }
        if (Duration.between(message.timestamp(), clock.instant()).abs().compareTo(tolerance) > 0) {
            return new FederationReply.Refused(FederationReply.Refused.Fault.STALE);
        }
        Action action = actions.get(message.action());
        if (action == null) {
            return new FederationReply.Refused(FederationReply.Refused.Fault.UNKNOWN_ACTION);
        }
        Intent intent;
        try {
            Identity identity = identityOf(message);
            intent = Intent.of(action.operation(), identity.scope(), identity.key(), fingerprint(message))
                    .describedAs("federation " + message.action());
        } catch (IllegalArgumentException | BodyLimitException invalid) {
            return new FederationReply.Refused(FederationReply.Refused.Fault.INVALID);
        }
        return execute(message, action, intent);
    }

    private static Fingerprint fingerprint(FederationMessage message) {
        return Fingerprinter.sha256()
                .of(Parts.builder()
                        .add("action", message.action())
                        .body(JSON, message.payload().bytes())
                        .build());
    }

    private FederationReply execute(FederationMessage message, Action action, Intent intent) {
        AtomicReference<@Nullable Lease> started = new AtomicReference<>();
        try {
            return replyTo(semel.executeChecked(intent, PAYLOAD, attempt -> {
                started.set(attempt.lease());
                return action.code().act(message, attempt);
            }));
        } catch (Throwable failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            Lease lease = started.get();
            return lease == null ? withoutExecution(failure) : afterFailure(intent, lease, failure);
        }
    }

    private static FederationReply replyTo(Execution<Payload> execution) {
        if (execution instanceof Execution.Replayed<Payload> replayed) {
            return new FederationReply.Done(replayed.value(), true);
        }
        if (execution instanceof Execution.Refused<Payload> refused) {
            return refusal(refused.why());
        }
        // The action may have declared itself that it had no effect, or that the outcome is unknown.
        if (execution instanceof Execution.Ran<Payload> ran && !(ran.outcome() instanceof Outcome.Unknown)) {
            return ran.outcome() instanceof Outcome.Completed
                    ? new FederationReply.Done(ran.value(), false)
                    : new FederationReply.Later(FederationReply.Later.Wait.NOT_DONE);
        }
        return new FederationReply.Later(FederationReply.Later.Wait.OUTCOME_UNKNOWN);
    }

    private static FederationReply refusal(Refusal why) {
        if (why instanceof Refusal.Mismatch) {
            return new FederationReply.Refused(FederationReply.Refused.Fault.ID_REUSED);
        }
        if (why instanceof Refusal.KeyExpired || why instanceof Refusal.KeyFromFuture) {
            return new FederationReply.Refused(FederationReply.Refused.Fault.ID_EXPIRED);
        }
        return new FederationReply.Later(
                why instanceof Refusal.InProgress
                        ? FederationReply.Later.Wait.IN_PROGRESS
                        : FederationReply.Later.Wait.OUTCOME_UNKNOWN);
    }

    private static FederationReply withoutExecution(Throwable failure) {
        if (failure instanceof RecordedFailureException recorded) {
            return new FederationReply.Failed(recorded.type(), String.valueOf(recorded.getMessage()), true);
        }
        LOG.log(
                Level.WARNING,
                "a federation message was not executed: the store is unavailable; its sender should send it again",
                failure);
        return new FederationReply.Later(FederationReply.Later.Wait.STORE_UNAVAILABLE);
    }

    /** Reads from the record what the operation's policy made of the failure. */
    private FederationReply afterFailure(Intent intent, Lease lease, Throwable failure) {
        LOG.log(Level.WARNING, "the action of message " + lease.identity() + " failed", failure);
        Optional<StoredRecord> record;
        try {
            record = semel.find(intent.identity());
        } catch (StoreException fault) {
            return new FederationReply.Later(FederationReply.Later.Wait.STORE_UNAVAILABLE);
        }
        if (record.isPresent() && record.get().fence() != lease.fence()) {
            // Another attempt has the message now. The next delivery gets its result.
            return new FederationReply.Later(FederationReply.Later.Wait.IN_PROGRESS);
        }
        return switch (record.map(StoredRecord::state).orElse(State.UNKNOWN)) {
            case COMPLETED ->
                new FederationReply.Failed(
                        failure.getClass().getName(), failure.getMessage() == null ? "" : failure.getMessage(), false);
            case FAILED_RETRYABLE -> new FederationReply.Later(FederationReply.Later.Wait.NOT_DONE);
            case IN_PROGRESS -> new FederationReply.Later(FederationReply.Later.Wait.IN_PROGRESS);
            case UNKNOWN, EXPIRED -> new FederationReply.Later(FederationReply.Later.Wait.OUTCOME_UNKNOWN);
        };
    }

    /** Configures a handler. */
    public static final class Builder {

        /** Enough for clock differences and slow queues. */
        private static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

        private final SemelEngine semel;
        private final String self;
        private final Map<String, Action> actions = new HashMap<>();
        private Duration tolerance = DEFAULT_TOLERANCE;
        private InstantSource clock = InstantSource.system();

        private Builder(SemelEngine semel, String self) {
            this.semel = semel;
            this.self = self;
        }

        /**
         * Registers an action.
         *
         * @param policy the name in metrics, the retention of results, what failures mean, whether duplicates wait
         * @throws IllegalArgumentException when an action of this name is registered already
         */
        public Builder action(String name, Operation policy, FederationAction code) {
            if (actions.putIfAbsent(name, new Action(policy, code)) != null) {
                throw new IllegalArgumentException("the action " + name + " is registered twice");
            }
            return this;
        }

        /** The largest accepted difference between a message's timestamp and now, before or after; 5 minutes by default. */
        public Builder tolerance(Duration difference) {
            this.tolerance = difference;
            return this;
        }

        /** The clock that decides whether a message is recent; the system's by default. */
        public Builder clock(InstantSource newClock) {
            this.clock = newClock;
            return this;
        }

        /**
         * Builds the handler.
         *
         * @throws IllegalArgumentException when an action's retention is not longer than the time for which a message is
         *     accepted
         */
        public FederationHandler build() {
            // A message sent by a clock that is ahead is accepted for twice the tolerance.
            Duration least = tolerance.multipliedBy(2);
            actions.forEach((name, action) -> {
                if (action.operation().retention().compareTo(least) <= 0) {
                    throw new IllegalArgumentException("the action " + name + " has a retention of "
                            + action.operation().retention() + ", but the same message is accepted for " + least
                            + ": choose a longer retention");
                }
            });
            return new FederationHandler(this);
        }
    }
}
