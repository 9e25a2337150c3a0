package dev.semel.redis;

import io.lettuce.core.ScriptOutputType;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What sends scripts to Redis. */
interface Runner {

    /** Runs a script, by its name as long as Redis knows it; the answer is read on the thread that it arrives on. */
    <R, T> CompletionStage<T> run(
            Script script, ScriptOutputType type, byte[][] keys, Function<R, T> reading, byte[]... arguments);
}
