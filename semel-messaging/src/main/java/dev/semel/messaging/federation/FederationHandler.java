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
 * Does what other systems ask this one to do, once per message, and answers each repetition with the first result.
 *
 * <ol>
 *   <li>A message to somebody else, one that was sent too long ago, and one that asks for what nobody does are refused before
 *       the store is asked.
 *   <li>A message is told by its id among those of its sender to this system. Another action or payload under the same id is
 *       refused. When it was sent does not count: a repetition carries a time of its own.
 *   <li>What was done is answered from its record. A failure is, too, unless the action's operation says that failures have no
 *       effect or prove nothing.
 * </ol>
 *
 * <p>Who a message is from has to be made sure of before: by its signature, or by the connection that it came on.
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
     * Starts to configure what is done for others.
     *
     * @param self what others call this system
     */
    public static Builder of(SemelEngine semel, String self) {
        return new Builder(semel, self);
    }

    /** The record of a message: its id, in the scope {@code federation/FROM/TO}. */
    public static Identity identityOf(FederationMessage message) {
        return new Identity(Scope.of("federation", message.from(), message.to()), Key.of(message.id()));
    }

    /** Does what the message asks for, unless that was done before; never throws what the action threw. */
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
        AtomicReference<@Nullable Lease> begun = new AtomicReference<>();
        try {
            return replyTo(semel.executeChecked(intent, PAYLOAD, attempt -> {
                begun.set(attempt.lease());
                return action.code().act(message, attempt);
            }));
        } catch (Throwable failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            Lease lease = begun.get();
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
        // The action may have said itself that it had no effect, or that nobody knows.
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
        return new FederationReply.Later(
                why instanceof Refusal.InProgress
                        ? FederationReply.Later.Wait.IN_PROGRESS
                        : FederationReply.Later.Wait.OUTCOME_UNKNOWN);
    }

    private static FederationReply withoutExecution(Throwable failure) {
        if (failure instanceof RecordedFailureException recorded) {
            return new FederationReply.Failed(recorded.type(), String.valueOf(recorded.getMessage()), true);
        }
        LOG.log(Level.WARNING, "a message is not acted on: the store cannot be asked", failure);
        return new FederationReply.Later(FederationReply.Later.Wait.STORE_UNAVAILABLE);
    }

    /** The record says what the failure was taken for; the failure alone does not. */
    private FederationReply afterFailure(Intent intent, Lease lease, Throwable failure) {
        LOG.log(Level.WARNING, "what a message asks for has failed: " + lease.identity(), failure);
        Optional<StoredRecord> record;
        try {
            record = semel.find(intent.identity());
        } catch (StoreException fault) {
            return new FederationReply.Later(FederationReply.Later.Wait.STORE_UNAVAILABLE);
        }
        if (record.isPresent() && record.get().fence() != lease.fence()) {
            // Somebody else is at it, or was: whoever asks again hears of that.
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

    /** Configures what is done for others. */
    public static final class Builder {

        /** Enough for clocks that differ and queues that are slow. */
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
         * Does this when it is asked for.
         *
         * @param how the name in metrics, how long results are kept, what failures mean, whether duplicates wait
         * @throws IllegalArgumentException when it is there already
         */
        public Builder action(String name, Operation how, FederationAction code) {
            if (actions.putIfAbsent(name, new Action(how, code)) != null) {
                throw new IllegalArgumentException("the action " + name + " is registered twice");
            }
            return this;
        }

        /** How far the time at which a message was sent may be from now, before or after; 5 minutes unless told. */
        public Builder tolerance(Duration most) {
            this.tolerance = most;
            return this;
        }

        /** What tells whether a message is recent; the system's clock unless told. */
        public Builder clock(InstantSource newClock) {
            this.clock = newClock;
            return this;
        }

        /**
         * Makes the handler.
         *
         * @throws IllegalArgumentException when a result would be forgotten while its message is still accepted
         */
        public FederationHandler build() {
            // A message sent by a clock that is ahead is good for twice the tolerance.
            Duration least = tolerance.multipliedBy(2);
            actions.forEach((name, action) -> {
                if (action.operation().retention().compareTo(least) <= 0) {
                    throw new IllegalArgumentException("the action " + name + " keeps its results for "
                            + action.operation().retention() + ", but the same message is accepted for " + least
                            + ": choose a longer retention");
                }
            });
            return new FederationHandler(this);
        }
    }
}
