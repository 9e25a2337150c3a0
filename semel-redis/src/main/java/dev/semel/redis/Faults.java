package dev.semel.redis;

import dev.semel.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** Says in a store's words what went wrong with Redis. */
final class Faults {

    private Faults() {}

    static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    static boolean isTimeout(Throwable failure) {
        return failure instanceof RedisCommandTimeoutException || failure instanceof TimeoutException;
    }

    static StoreException of(RedisUri uri, Throwable failure) {
        Throwable cause = unwrapped(failure);
        if (cause instanceof StoreException fault) {
            return fault;
        }
        if (isTimeout(cause)) {
            return new StoreException(
                    "Redis at " + uri + " did not answer within "
                            + uri.options().timeout().toMillis() + " ms",
                    cause);
        }
        if (cause instanceof RedisCommandExecutionException refused) {
            return new StoreException("Redis at " + uri + " refused: " + refused.getMessage(), cause);
        }
        if (cause instanceof RedisException || cause instanceof CancellationException) {
            return new StoreException("Redis at " + uri + " cannot be reached: " + cause.getMessage(), cause);
        }
        return new StoreException("Redis at " + uri + " failed: " + cause, cause);
    }
}
