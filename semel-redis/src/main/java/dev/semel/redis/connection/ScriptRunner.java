package dev.semel.redis.connection;

import io.lettuce.core.ScriptOutputType;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Sends scripts to Redis. */
public interface ScriptRunner {

    /** Runs a script by its digest, or by its text where the server has not cached it. */
    <R> void run(Script script, ScriptOutputType type, byte[][] keys, byte[][] arguments, ReplyListener<R> listener);

    /** The connection that decodes replies and reports failures. */
    Link link();

    /** Runs a script; the stage completes with the decoded reply. */
    default <R, T> CompletionStage<T> run(
            Script script, ScriptOutputType type, byte[][] keys, Function<R, T> decoder, byte[]... arguments) {
        DecodingListener<R, T> listener = link().decoding(decoder);
        run(script, type, keys, arguments, listener);
        return listener.result();
    }
}
