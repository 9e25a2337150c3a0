package dev.semel.redis;

import dev.semel.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in a store's words what went wrong with Redis, and what would help. */
final class Faults {

    /** How Redis begins an error, what that means, and what would help. */
    private enum Refusal {
        FULL("OOM", "is full", "give it more memory (maxmemory), or prune sooner; nothing was written"),
        REPLICA("READONLY", "is a replica, which takes no writes", "name its primary, or use redis-sentinel://"),
        LOADING("LOADING", "is still reading its data", "it will answer when it is done"),
        LONE_REPLICA("MASTERDOWN", "is a replica that has lost its primary", "name its primary"),
        CLUSTER_DOWN("CLUSTERDOWN", "is a cluster that has lost nodes", "see CLUSTER INFO; it comes back with them"),
        BUSY("BUSY", "is busy with somebody's script or function", "SCRIPT KILL or FUNCTION KILL ends it"),
        MOVING("TRYAGAIN", "is moving this slot to another node", "try again when it has moved"),
        MOVED("ERR Script attempted to access a non local key", MOVING.meaning, MOVING.advice),
        DISK("MISCONF", "cannot save its data", "see its log; it takes no writes until it can"),
        LONELY("NOREPLICAS", "has fewer replicas than its min-replicas-to-write", "connect them"),
        WRONG_PASSWORD("WRONGPASS", "does not know this user with this password", "see ACL LIST"),
        NO_PASSWORD("NOAUTH", "wants a password", "put user:password@ before the host"),
        NOT_ALLOWED("NOPERM", "does not allow this user what Semel needs", "docs/reference/redis.md has the ACL rule"),
        SCRIPT_NOT_ALLOWED("ERR The user executing the script can't", NOT_ALLOWED.meaning, NOT_ALLOWED.advice),
        FOREIGN("WRONGTYPE", "has something else where a record or an index should be", "see the key's TYPE");

        private final String beginning;
        private final String meaning;
        private final String advice;

        Refusal(String beginning, String meaning, String advice) {
            this.beginning = beginning;
            this.meaning = meaning;
            this.advice = advice;
        }

        static @Nullable Refusal of(String error) {
            for (Refusal refusal : values()) {
                if (error.startsWith(refusal.beginning)) {
                    return refusal;
                }
            }
            return null;
        }
    }

    private Faults() {}

    static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    static boolean isTimeout(@Nullable Throwable failure) {
        return failure instanceof RedisCommandTimeoutException || failure instanceof TimeoutException;
    }

    /** Whether it was a server that no longer is the one to write to. */
    static boolean isReplica(Throwable failure) {
        return failure instanceof RedisCommandExecutionException refused
                && Refusal.of(String.valueOf(refused.getMessage())) == Refusal.REPLICA;
    }

    static StoreException of(RedisUri uri, Throwable failure) {
        Throwable cause = telling(failure);
        if (cause instanceof StoreException fault) {
            return fault;
        }
        if (isTimeout(cause)) {
            return new StoreException(
                    "Redis at " + uri + " did not answer within "
                            + uri.options().timeout().toMillis() + " ms; what it was asked may have happened",
                    cause);
        }
        if (cause instanceof RedisCommandExecutionException) {
            return refused(uri, String.valueOf(cause.getMessage()), cause);
        }
        if (cause instanceof SSLException) {
            return new StoreException(
                    "Redis at " + uri + " has no certificate to be trusted for this host, or does not speak TLS: "
                            + cause.getMessage() + "; name its authority with tlsCa",
                    cause);
        }
        if (cause instanceof RedisException || cause instanceof CancellationException) {
            return unreachable(uri, cause, "; a running application reconnects by itself");
        }
        return new StoreException("Redis at " + uri + " failed: " + cause, cause);
    }

    private static StoreException unreachable(RedisUri uri, Throwable cause, String next) {
        return new StoreException(
                "Redis at " + uri + " cannot be reached: " + cause.getMessage() + "; start it or look at the network"
                        + next,
                cause);
    }

    /** While the first connection is made, nothing has been asked yet, and nothing tries again. */
    static StoreException ofStart(RedisUri uri, Throwable failure) {
        Throwable cause = telling(failure);
        if (cause instanceof RedisException
                && !(cause instanceof RedisCommandExecutionException)
                && !isTimeout(cause)) {
            return unreachable(uri, cause, "");
        }
        return isTimeout(cause)
                ? new StoreException(
                        "Redis at " + uri + " does not answer"
                                + (uri.tls().used() ? ": does it speak TLS there?" : ": does it want TLS (rediss://)?"),
                        cause)
                : of(uri, failure);
    }

    private static StoreException refused(RedisUri uri, String error, Throwable cause) {
        Refusal refusal = Refusal.of(error);
        if (refusal != null) {
            return new StoreException(
                    "Redis at " + uri + " " + refusal.meaning + ": " + refusal.advice + " (" + error + ")", cause);
        }
        return new StoreException("Redis at " + uri + " refused: " + error, cause);
    }

    /** Of a failure and its causes the one that says most. */
    private static Throwable telling(Throwable failure) {
        Throwable last = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException
                    || cause instanceof RedisCommandExecutionException
                    || cause instanceof SSLException
                    || isTimeout(cause)) {
                return cause;
            }
            if (!(cause instanceof CompletionException) && !(cause instanceof ExecutionException)) {
                last = last == failure ? cause : last;
            }
        }
        return unwrapped(last);
    }
}
