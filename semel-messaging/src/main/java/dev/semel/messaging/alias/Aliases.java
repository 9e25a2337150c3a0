package dev.semel.messaging.alias;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Refusal;
import dev.semel.Semel.CheckedWork;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import dev.semel.messaging.MessageHandler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maps the names of several channels to one intent, so that an intent that arrives by HTTP, by a queue and by a webhook is
 * executed once.
 *
 * <p>An alias is a record like any other: its response is the identity of the intent, and its fingerprint is that identity's
 * fingerprint. It is bound once. Binding it to another intent is a mismatch: refused, logged, and reported to listeners as
 * {@link dev.semel.engine.Event.RefusedMismatch} of the operation {@code bind-alias}.
 *
 * <p>The intent has one record, with its result. Each channel has a record of its own too, with its request and its answer,
 * since no channel can read another's answers.
 */
public final class Aliases {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging");

    /** Far longer than any preset keeps an intent: an expired alias could be bound to another intent. */
    private static final Duration DEFAULT_RETENTION = Duration.ofDays(30);

    /** Binding takes two round trips to the store. A lease that expires means a crash, and binding again is safe. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** The line feed separates the two: neither a scope nor a key contains control characters. */
    private static final Codec<Identity> IDENTITY = Codec.of(
            identity -> (identity.scope().value() + "\n" + identity.key().value()).getBytes(UTF_8), Aliases::decode);

    private final SemelEngine semel;
    private final Operation operation;

    private Aliases(SemelEngine semel, Duration retention) {
        this.semel = semel;
        this.operation = Operation.named("bind-alias")
                .retention(retention)
                .lease(LEASE)
                .waitUpTo(MAX_WAIT)
                .lateRetries(Operation.LateRetries.EXECUTE)
                .reexecutableAfterCrash();
    }

    /** Aliases with a retention of 30 days. */
    public static Aliases on(SemelEngine semel) {
        return new Aliases(semel, DEFAULT_RETENTION);
    }

    /** The same aliases with this retention, which must be longer than that of the intents. */
    public Aliases keptFor(Duration retention) {
        return new Aliases(semel, retention);
    }

    /**
     * Binds the alias to this intent.
     *
     * @throws dev.semel.StoreException when the store is unavailable, or did not confirm; binding again is safe
     */
    public Binding bind(Alias alias, Identity identity) {
        Intent intent =
                Intent.of(operation, alias.identity().scope(), alias.identity().key(), fingerprint(identity));
        Execution<Identity> execution = semel.execute(intent, IDENTITY, attempt -> identity);
        if (execution instanceof Execution.Ran<Identity>) {
            return new Binding.Bound(identity, true);
        }
        if (execution instanceof Execution.Replayed<Identity>) {
            return new Binding.Bound(identity, false);
        }
        if (execution instanceof Execution.Unconfirmed<Identity> unconfirmed) {
            throw unconfirmed.fault();
        }
        if (execution instanceof Execution.Refused<Identity> refused && refused.why() instanceof Refusal.Mismatch) {
            LOG.log(
                    Level.WARNING,
                    "the alias {0} was not bound to {1}: it is bound to another intent",
                    alias,
                    identity);
            return new Binding.Conflict(alias);
        }
        return new Binding.Busy(RETRY_AFTER);
    }

    /** The intent that the alias is bound to; empty when it is not bound. */
    public Optional<Identity> resolve(Alias alias) {
        return semel.find(alias.identity())
                .filter(record -> record.state() == State.COMPLETED)
                .flatMap(record -> Optional.ofNullable(record.response()))
                .map(response -> IDENTITY.decode(response.bytes()));
    }

    /**
     * Binds the alias to the intent and executes it, unless any channel executed it before. A conflict of aliases is refused as
     * a {@link Refusal.Mismatch}.
     *
     * @param intent equal on every channel: its fingerprint covers the meaning, not the channel's format
     * @throws E what the work threw
     */
    public <T extends @Nullable Object, E extends Exception> Execution<T> execute(
            Alias alias, Intent intent, Codec<T> codec, CheckedWork<T, E> work) throws E {
        Binding binding = bind(alias, intent.identity());
        if (binding instanceof Binding.Bound) {
            return semel.executeChecked(intent, codec, work);
        }
        return new Execution.Refused<>(
                binding instanceof Binding.Busy busy
                        ? new Refusal.InProgress(busy.retryAfter())
                        : new Refusal.Mismatch());
    }

    /**
     * A handler for an inbox or a webhook receiver that executes the intent of a message unless another channel executed it. A
     * message is redelivered while another channel executes its intent or the outcome is unknown. The message's own operation
     * may be re-executable: the intent's record prevents a second execution.
     *
     * @param intents the intent of a message, and its name in the channel
     */
    public <M, T extends @Nullable Object> MessageHandler<M> handler(
            Function<? super M, NamedIntent> intents, Codec<T> codec, IntentWork<? super M, T> work) {
        return (message, delivery) -> {
            NamedIntent named = intents.apply(message);
            settle(
                    execute(named.alias(), named.intent(), codec, attempt -> work.execute(message, attempt)),
                    delivery,
                    named.alias());
        };
    }

    /** Derives the outcome of the message from the outcome of its intent. */
    private static void settle(Execution<?> execution, Attempt delivery, Alias alias) {
        if (execution instanceof Execution.Refused<?> refused && refused.why() instanceof Refusal.Mismatch) {
            throw new ConflictingIntentException("the alias " + alias + " belongs to another intent");
        }
        boolean done = execution instanceof Execution.Replayed<?>
                || (execution instanceof Execution.Ran<?> ran && ran.outcome() instanceof Outcome.Completed);
        if (!done) {
            // The message has no effect besides the intent's, which has a record of its own.
            delivery.notExecuted("intent_not_settled");
        }
    }

    private static Fingerprint fingerprint(Identity identity) {
        return Fingerprinter.sha256()
                .of(Parts.builder()
                        .add("scope", identity.scope().value())
                        .add("key", identity.key().value())
                        .build());
    }

    private static Identity decode(byte[] bytes) {
        String text = new String(bytes, UTF_8);
        int end = text.indexOf('\n');
        return Identity.of(text.substring(0, end), text.substring(end + 1));
    }
}
