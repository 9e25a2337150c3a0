package dev.semel.messaging.command;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A bus around another that executes each command once and returns the first result when it is dispatched again.
 *
 * <ol>
 *   <li>A command is identified by its id within its scope. The same id with another payload, or for another kind of command,
 *       is refused.
 *   <li>While a command is being executed, another dispatch is refused, or waits as long as its operation allows.
 *   <li>A failure is replayed, executed again, or leaves the outcome unknown, as the operation specifies.
 *   <li>A kind of command that is not registered is not executed: the bus has no codec for its result.
 * </ol>
 *
 * <pre>{@code
 * CommandBus bus = IdempotentCommandBus.around(plainBus, semel, json::writeValueAsBytes)
 *         .result(Receipt.class, receipts)
 *         .command(Pay.class, Receipt.class, Operation.named("pay").retention(Retention.PAYMENT))
 *         .build();
 * Receipt receipt = bus.dispatch(new Pay("cmd-1", 1999));
 * }</pre>
 */
public final class IdempotentCommandBus implements CommandBus {

    /** Payloads are fingerprinted as canonical JSON, so the order of fields does not matter. */
    private static final String JSON = "application/json";

    /** The policy of one kind of command, and the codec of its result. */
    private record Kind(Operation operation, Codec<?> codec) {}

    private final SemelEngine semel;
    private final CommandExecutor executor;
    private final Function<? super Command<?>, byte[]> payloads;
    private final Function<? super Command<?>, Scope> scopes;
    private final Map<Class<?>, Kind> kinds;

    private IdempotentCommandBus(Builder builder) {
        this.semel = builder.semel;
        this.executor = builder.executor;
        this.payloads = builder.payloads;
        this.scopes = builder.scopes;
        this.kinds = Map.copyOf(builder.kinds);
    }

    /**
     * Starts to configure a bus around another.
     *
     * @param payloads serializes a command for its fingerprint: JSON, or bytes that are equal for equal commands. The id need
     *     not be part of it
     */
    public static Builder around(CommandBus bus, SemelEngine semel, Function<? super Command<?>, byte[]> payloads) {
        return around(CommandExecutor.by(bus), semel, payloads);
    }

    /** Like {@link #around(CommandBus, SemelEngine, Function)}, for executors that use the attempt. */
    public static Builder around(
            CommandExecutor executor, SemelEngine semel, Function<? super Command<?>, byte[]> payloads) {
        return new Builder(executor, semel, payloads);
    }

    /**
     * Executes the command, or returns its recorded result.
     *
     * @throws dev.semel.RefusedException when there is no result: the command is being executed, its outcome is unknown, or
     *     its id belongs to another command
     * @throws dev.semel.RecordedFailureException when it failed before and its operation replays failures
     * @throws dev.semel.StoreException when the store is unavailable: nothing was executed
     * @throws IllegalArgumentException when its kind is not registered, or its id is not valid
     */
    @Override
    public <R extends @Nullable Object> R dispatch(Command<R> command) {
        return execute(command).orThrow();
    }

    /** Like {@link #dispatch}; the result says whether the command was executed now, before, or not at all. */
    public <R extends @Nullable Object> Execution<R> execute(Command<R> command) {
        Kind kind = kinds.get(command.getClass());
        if (kind == null) {
            throw new IllegalArgumentException(command.getClass().getName()
                    + " is not registered with this bus: register it with command(type, result, operation)");
        }
        Intent intent = Intent.of(
                        kind.operation(),
                        scopes.apply(command),
                        Key.of(command.commandId()),
                        fingerprint(kind.operation(), payloads.apply(command)))
                .describedAs("command " + command.getClass().getSimpleName());
        // register() accepts only the codec of the kind's own result type.
        @SuppressWarnings("unchecked")
        Codec<R> codec = (Codec<R>) kind.codec();
        return semel.execute(intent, codec, attempt -> executor.execute(command, attempt));
    }

    private static Fingerprint fingerprint(Operation operation, byte[] payload) {
        return Fingerprinter.sha256()
                .of(Parts.builder()
                        .add("command", operation.name())
                        .body(JSON, payload)
                        .build());
    }

    /** Configures a bus. */
    public static final class Builder {

        private static final Codec<@Nullable Void> NOTHING = Codec.of(nothing -> new byte[0], bytes -> null);

        private final CommandExecutor executor;
        private final SemelEngine semel;
        private final Function<? super Command<?>, byte[]> payloads;
        private final Map<Class<?>, Kind> kinds = new HashMap<>();
        private final Map<Class<?>, Codec<?>> results = new HashMap<>();
        private Function<? super Command<?>, Scope> scopes = command -> Scope.of("command");

        private Builder(CommandExecutor executor, SemelEngine semel, Function<? super Command<?>, byte[]> payloads) {
            this.executor = executor;
            this.semel = semel;
            this.payloads = payloads;
            results.put(String.class, Codec.text());
            results.put(byte[].class, Codec.bytes());
            results.put(Void.class, NOTHING);
        }

        /** The scope of a command's id, such as its tenant; by default all commands share one scope. */
        public Builder scope(Function<? super Command<?>, Scope> owner) {
            this.scopes = owner;
            return this;
        }

        /** The codec of results of this type. {@link String}, {@code byte[]} and {@link Void} have one already. */
        public <R> Builder result(Class<R> type, Codec<R> codec) {
            results.put(type, codec);
            return this;
        }

        /**
         * Registers a kind of command by the type of its result.
         *
         * @param policy the name in metrics, the retention of results, what failures mean, whether duplicates wait
         * @throws IllegalArgumentException when there is no codec for results of this type
         */
        public <R> Builder command(Class<? extends Command<R>> kind, Class<R> resultType, Operation policy) {
            Codec<?> codec = results.get(resultType);
            if (codec == null) {
                throw new IllegalArgumentException("there is no codec for the results of " + kind.getName()
                        + ": call result(" + resultType.getSimpleName() + ".class, codec) first");
            }
            return register(kind, new Kind(policy, codec));
        }

        /** Registers a kind of command with the codec of its results. */
        public <R extends @Nullable Object> Builder command(
                Class<? extends Command<R>> kind, Codec<R> codec, Operation policy) {
            return register(kind, new Kind(policy, codec));
        }

        private Builder register(Class<?> type, Kind kind) {
            if (kinds.putIfAbsent(type, kind) != null) {
                throw new IllegalArgumentException(type.getName() + " is registered twice");
            }
            return this;
        }

        public IdempotentCommandBus build() {
            return new IdempotentCommandBus(this);
        }
    }
}
