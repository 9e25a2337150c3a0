package dev.semel.redis.connection;

import dev.semel.StoreException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A script call that replicas have to confirm, and the listener for its reply. Used by one thread at a time. */
final class ConfirmerCall<R> {

    /** What is sent. */
    static final class Command {

        private final Script script;
        private final ScriptOutputType type;
        private final byte[][] keys;
        private final byte[][] arguments;

        Command(Script script, ScriptOutputType type, byte[][] keys, byte[][] arguments) {
            this.script = script;
            this.type = type;
            this.keys = keys;
            this.arguments = arguments;
        }
    }

    private final ReplyListener<R> listener;
    private final Command command;
    private boolean sendText;
    private boolean asking;
    private int redirections;
    private @Nullable CompletableFuture<R> reply;

    ConfirmerCall(ReplyListener<R> listener, Command command) {
        this.listener = listener;
        this.command = command;
    }

    int redirections() {
        return redirections;
    }

    /** @param withAsking whether the next node needs {@code ASKING} before the script */
    void redirected(boolean withAsking) {
        redirections++;
        asking = withAsking;
    }

    /** Sends the script's text next time: the server has not cached the script. */
    void sendText() {
        sendText = true;
    }

    void send(RedisAsyncCommands<byte[], byte[]> commands) {
        if (asking) {
            // If ASKING is refused, the script is redirected once more.
            commands.asking().exceptionally(refused -> "");
        }
        RedisFuture<R> sent = sendText
                ? commands.eval(command.script.text(), command.type, command.keys, command.arguments)
                : commands.evalsha(command.script.digest(), command.type, command.keys, command.arguments);
        reply = sent.toCompletableFuture();
    }

    /** Returns why there is no reply; null where there is one, or none yet. */
    @Nullable
    Throwable failure() {
        if (reply == null || !reply.isDone()) {
            return null;
        }
        try {
            reply.join();
            return null;
        } catch (RuntimeException e) {
            return RedisFaults.unwrapped(e);
        }
    }

    /** Passes the reply to the listener. */
    void deliver() {
        listener.onReply(Objects.requireNonNull(reply).join());
    }

    void fail(StoreException fault) {
        listener.onFailure(fault);
    }
}
