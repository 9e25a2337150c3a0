package dev.semel.redis.connection;

import dev.semel.StoreException;
import dev.semel.redis.uri.RedisUri;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Translates failures of Redis into {@link StoreException}s that say what happened and what to do. */
public final class RedisFaults {

    /** Errors of Redis by their first words, with their meaning and the remedy. */
    private enum Refusal {
        FULL("OOM", "is full", "give it more memory (maxmemory), or prune sooner; nothing was written"),
        REPLICA("READONLY", "is a replica, which takes no writes", "name the primary, or use redis-sentinel://"),
        LOADING("LOADING", "is still loading its data", "retry when it has finished"),
        LONE_REPLICA("MASTERDOWN", "is a replica that has lost its primary", "name the primary"),
        CLUSTER_DOWN("CLUSTERDOWN", "is a cluster that has lost nodes", "check CLUSTER INFO, and bring them back"),
        BUSY("BUSY", "is busy with another script or function", "end it with SCRIPT KILL or FUNCTION KILL"),
        MOVING("TRYAGAIN", "is moving this slot to another node", "retry when it has moved"),
        MOVED("ERR Script attempted to access a non local key", MOVING.meaning, MOVING.advice),
        DISK("MISCONF", "cannot save its data and takes no writes", "check its log"),
        LONELY("NOREPLICAS", "has fewer replicas than its min-replicas-to-write", "connect them"),
        WRONG_PASSWORD("WRONGPASS", "rejects this user or password", "check ACL LIST"),
        NO_PASSWORD("NOAUTH", "requires a password", "put user:password@ before the host"),
        NOT_ALLOWED(
                "NOPERM", "denies this user a command that Semel needs", "docs/reference/redis.md has the ACL rule"),
        SCRIPT_NOT_ALLOWED("ERR The user executing the script can't", NOT_ALLOWED.meaning, NOT_ALLOWED.advice),
        FOREIGN("WRONGTYPE", "has a key of another type where a record or an index should be", "check the key's TYPE");

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

    private RedisFaults() {}

    /** Returns the cause of a {@link CompletionException}, or the failure itself. */
    public static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    static boolean isTimeout(@Nullable Throwable failure) {
        return failure instanceof RedisCommandTimeoutException || failure instanceof TimeoutException;
    }

    /** Whether the server has become a replica, which takes no writes. */
    static boolean isReplica(Throwable failure) {
        return failure instanceof RedisCommandExecutionException refused
                && Refusal.of(String.valueOf(refused.getMessage())) == Refusal.REPLICA;
    }

    public static StoreException queueFull(RedisUri uri, int calls) {
        return new StoreException("the queue for Redis at " + uri + " is full (" + calls + " calls): retry later");
    }

    static StoreException of(RedisUri uri, Throwable failure) {
        Throwable cause = mostSpecific(failure);
        if (cause instanceof StoreException fault) {
            return fault;
        }
        if (isTimeout(cause)) {
            return new StoreException(
                    "Redis at " + uri + " did not answer within "
                            + uri.options().timeout().toMillis()
                            + " ms; the write may have happened: check the server's load and the network",
                    cause);
        }
        if (cause instanceof RedisCommandExecutionException) {
            return refused(uri, String.valueOf(cause.getMessage()), cause);
        }
        if (cause instanceof SSLException) {
            return new StoreException(
                    "the TLS handshake with Redis at " + uri + " failed: " + cause.getMessage()
                            + ": name the certificate authority with tlsCa, and check the host name and that the port"
                            + " serves TLS",
                    cause);
        }
        if (cause instanceof RedisException || cause instanceof CancellationException) {
            return unreachable(uri, cause, "; a running application reconnects automatically");
        }
        return new StoreException("Redis at " + uri + " failed: " + cause, cause);
    }

    private static StoreException unreachable(RedisUri uri, Throwable cause, String next) {
        return new StoreException(
                "Redis at " + uri + " cannot be reached: " + cause.getMessage() + ": start it, or check the network"
                        + next,
                cause);
    }

    /** The fault of a first connection: no command was sent, and no retry follows. */
    static StoreException ofStart(RedisUri uri, Throwable failure) {
        Throwable cause = mostSpecific(failure);
        if (cause instanceof RedisException
                && !(cause instanceof RedisCommandExecutionException)
                && !isTimeout(cause)) {
            return unreachable(uri, cause, "");
        }
        return isTimeout(cause)
                ? new StoreException(
                        "Redis at " + uri + " does not reply: "
                                + (uri.tls().used()
                                        ? "check that its port serves TLS"
                                        : "check whether its port requires TLS (rediss://)"),
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

    /** Returns, of a failure and its causes, the one that says most. */
    private static Throwable mostSpecific(Throwable failure) {
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
