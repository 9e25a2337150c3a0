package dev.semel.redis;

import io.lettuce.core.ScriptOutputType;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What sends scripts to Redis. */
interface Runner {

    /** Runs a script, by its name as long as Redis knows it. */
    <R> void run(Script script, ScriptOutputType type, byte[][] keys, byte[][] arguments, Listener<R> listener);

    /** The way that it takes. */
    Link link();

    /** For whoever waits or goes on with the answer. */
    default <R, T> CompletionStage<T> run(
            Script script, ScriptOutputType type, byte[][] keys, Function<R, T> reading, byte[]... arguments) {
        Reading<R, T> listener = link().reading(reading);
        run(script, type, keys, arguments, listener);
        return listener.answer();
    }
}
