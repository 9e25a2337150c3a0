package dev.semel.redis.connection;

import dev.semel.StoreException;
import dev.semel.redis.uri.RedisUri;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Decodes a reply, and completes a stage with it. */
public final class DecodingListener<R, T> implements ReplyListener<R> {

    private final RedisUri uri;
    private final Function<R, T> decoder;
    private final ReplyFuture<T> result;

    DecodingListener(RedisUri uri, Function<R, T> decoder, Executor callbacks) {
        this.uri = uri;
        this.decoder = decoder;
        this.result = new ReplyFuture<>(callbacks);
    }

    public CompletionStage<T> result() {
        return result;
    }

    @Override
    public void onReply(R reply) {
        T decoded;
        try {
            decoded = decoder.apply(reply);
        } catch (RuntimeException e) {
            onFailure(RedisFaults.of(uri, e));
            return;
        }
        result.deliver(decoded);
    }

    @Override
    public void onFailure(StoreException fault) {
        result.deliverFailure(fault);
    }
}
