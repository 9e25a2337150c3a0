package dev.semel.redis;

import dev.semel.StoreException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A script that waits to be run and confirmed, and who is to hear what it says. One thread at a time has it. */
final class ConfirmerCall<R> {

    /** What is sent. */
    static final class Text {

        private final Script script;
        private final ScriptOutputType type;
        private final byte[][] keys;
        private final byte[][] arguments;

        Text(Script script, ScriptOutputType type, byte[][] keys, byte[][] arguments) {
            this.script = script;
            this.type = type;
            this.keys = keys;
            this.arguments = arguments;
        }
    }

    private final Listener<R> listener;
    private final Text text;
    private boolean unheardOf;
    private boolean asking;
    private int redirections;
    private @Nullable CompletableFuture<R> sent;

    ConfirmerCall(Listener<R> listener, Text text) {
        this.listener = listener;
        this.text = text;
    }

    int redirections() {
        return redirections;
    }

    void redirected(boolean once) {
        redirections++;
        asking = once;
    }

    /** Redis does not know the script by its name: the next time it is sent as it reads. */
    void unheardOf() {
        unheardOf = true;
    }

    void send(RedisAsyncCommands<byte[], byte[]> commands) {
        if (asking) {
            // Should it be refused, the script is sent elsewhere once more.
            commands.asking().exceptionally(refused -> "");
        }
        RedisFuture<R> reply = unheardOf
                ? commands.eval(text.script.text(), text.type, text.keys, text.arguments)
                : commands.evalsha(text.script.digest(), text.type, text.keys, text.arguments);
        sent = reply.toCompletableFuture();
    }

    /** Why it did not run, or why nobody knows whether it did; null where there is an answer, or none yet. */
    @Nullable
    Throwable failure() {
        if (sent == null || !sent.isDone()) {
            return null;
        }
        try {
            sent.join();
            return null;
        } catch (RuntimeException e) {
            return Faults.unwrapped(e);
        }
    }

    /** Passes on what Redis said, once it has. */
    void tell() {
        listener.heard(Objects.requireNonNull(sent).join());
    }

    void fail(StoreException fault) {
        listener.failed(fault);
    }
}
