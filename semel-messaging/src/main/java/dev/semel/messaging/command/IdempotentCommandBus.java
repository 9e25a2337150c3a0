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
 * A bus around another that executes each command once and gives whoever dispatches it again the first result.
 *
 * <ol>
 *   <li>A command is told by its id within its scope; what it says is its payload. The same id with another payload, or for
 *       another kind of command, is refused.
 *   <li>While it is being executed, another dispatch is refused, or waits as long as its operation allows.
 *   <li>A failure is replayed, or executed again, or leaves the outcome unknown, as its operation says.
 *   <li>A kind of command that was not registered is not executed: nobody has said how to keep its result.
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

    /** What media type canonical JSON has: whether fields are in another order makes no other command. */
    private static final String JSON = "application/json";

    /** How one kind of command is executed. */
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
     * @param payloads what a command says: JSON, or bytes that are the same for the same command. The id need not be in it
     */
    public static Builder around(CommandBus bus, SemelEngine semel, Function<? super Command<?>, byte[]> payloads) {
        return around(CommandExecutor.by(bus), semel, payloads);
    }

    /** Like {@link #around(CommandBus, SemelEngine, Function)}, for executors that want to know of attempts. */
    public static Builder around(
            CommandExecutor executor, SemelEngine semel, Function<? super Command<?>, byte[]> payloads) {
        return new Builder(executor, semel, payloads);
    }

    /**
     * Executes the command, or returns what it resulted in before.
     *
     * @throws dev.semel.RefusedException when there is no result: it is being executed, its outcome is unknown, or its id was
     *     that of another command
     * @throws dev.semel.RecordedFailureException when it failed before, and that is its result
     * @throws dev.semel.StoreException when the store could not be asked: nothing was executed
     * @throws IllegalArgumentException when its kind was not registered, or its id can be none
     */
    @Override
    public <R extends @Nullable Object> R dispatch(Command<R> command) {
        return execute(command).orThrow();
    }

    /** Like {@link #dispatch}, for those who want to know whether it was executed now, before, or not at all. */
    public <R extends @Nullable Object> Execution<R> execute(Command<R> command) {
        Kind kind = kinds.get(command.getClass());
        if (kind == null) {
            throw new IllegalArgumentException(command.getClass().getName()
                    + " is not registered with this bus: name its operation and its result");
        }
        Intent intent = Intent.of(
                        kind.operation(),
                        scopes.apply(command),
                        Key.of(command.commandId()),
                        fingerprint(kind.operation(), payloads.apply(command)))
                .describedAs("command " + command.getClass().getSimpleName());
        // A kind is registered with the codec of its own result only.
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

        /** Whom the ids of commands belong to, such as a tenant; by default all belong to one owner. */
        public Builder scope(Function<? super Command<?>, Scope> owner) {
            this.scopes = owner;
            return this;
        }

        /** How results of this type are kept. Known already: {@link String}, {@code byte[]}, and {@link Void} for none. */
        public <R> Builder result(Class<R> type, Codec<R> codec) {
            results.put(type, codec);
            return this;
        }

        /**
         * Registers a kind of command by the type of its result.
         *
         * @param how the name in metrics, how long results are kept, what failures mean, whether duplicates wait
         * @throws IllegalArgumentException when it is not known how results of this type are kept
         */
        public <R> Builder command(Class<? extends Command<R>> kind, Class<R> resultType, Operation how) {
            Codec<?> codec = results.get(resultType);
            if (codec == null) {
                throw new IllegalArgumentException("how results of " + kind.getName() + " are kept is not known: say"
                        + " result(" + resultType.getSimpleName() + ".class, codec) before");
            }
            return register(kind, new Kind(how, codec));
        }

        /** Registers a kind of command whose results are kept by a codec of their own. */
        public <R extends @Nullable Object> Builder command(
                Class<? extends Command<R>> kind, Codec<R> codec, Operation how) {
            return register(kind, new Kind(how, codec));
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
