package dev.semel.redis;

import dev.semel.StoreException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on one primary, and asks its replicas to confirm them.
 *
 * <ol>
 *   <li>While one {@code WAIT} is on its way, the calls that arrive form the next group: their scripts, and one {@code WAIT} for
 *       all of them. There is no timer: a lone call goes at once.
 *   <li>A group goes over one connection, which is never made again in its middle: {@code WAIT} on another than the
 *       scripts' would confirm nothing, and say otherwise.
 *   <li>A call is answered only when it ran and {@code WAIT} has counted enough replicas after it. Whatever else happens is
 *       a fault, and the call may have happened.
 *   <li>After a fault of the connection the next group has a new one.
 * </ol>
 */
final class ConfirmerLane {

    /** As with the shared connection: what comes beyond is refused at once. */
    private static final int LONGEST_QUEUE = 100_000;

    private final Link link;
    private final RedisUri.@Nullable Node node;
    private final BiConsumer<ConfirmerCall<?>, Redirection> elsewhere;
    private final Object lock = new Object();
    private final Deque<ConfirmerCall<?>> waiting = new ArrayDeque<>();
    private final int replicas;

    /** Half of what a caller waits: it may have to wait for the group before its own as well. */
    private final Duration patience;

    private boolean underway;

    /** Used by whoever has set {@link #underway}, one at a time. */
    private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;

    /**
     * A lane to this server.
     *
     * @param node which server of a cluster; null for the only one
     * @param elsewhere what takes calls that the server sends away
     */
    ConfirmerLane(Link link, RedisUri.@Nullable Node node, BiConsumer<ConfirmerCall<?>, Redirection> elsewhere) {
        this.link = link;
        this.node = node;
        this.elsewhere = elsewhere;
        this.replicas = link.uri().options().replicas();
        this.patience = link.uri().options().timeout().dividedBy(2).plusMillis(1);
    }

    void submit(ConfirmerCall<?> call) {
        boolean first;
        synchronized (lock) {
            if (waiting.size() >= LONGEST_QUEUE) {
                call.fail(new StoreException("too many calls wait for Redis at " + link.uri()));
                return;
            }
            waiting.add(call);
            first = !underway;
            underway = true;
        }
        if (first) {
            next();
        }
    }

    private List<ConfirmerCall<?>> group() {
        synchronized (lock) {
            List<ConfirmerCall<?>> group = new ArrayList<>(waiting);
            waiting.clear();
            return group;
        }
    }

    private void next() {
        connected().whenComplete((open, failure) -> {
            if (open != null) {
                flush(open);
            } else {
                List<ConfirmerCall<?>> group = group();
                goOn();
                link.connector().refresh();
                group.forEach(call -> call.fail(link.fault(failure)));
            }
        });
    }

    private CompletionStage<StatefulRedisConnection<byte[], byte[]>> connected() {
        StatefulRedisConnection<byte[], byte[]> current = connection;
        if (current != null && current.isOpen()) {
            return CompletableFuture.completedFuture(current);
        }
        try {
            return link.connector().connectOnce(node);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void flush(StatefulRedisConnection<byte[], byte[]> open) {
        connection = open;
        List<ConfirmerCall<?>> group = group();
        try {
            RedisAsyncCommands<byte[], byte[]> commands = open.async();
            group.forEach(call -> call.send(commands));
            commands.waitForReplication(replicas, patience.toMillis())
                    .whenComplete((count, failure) -> ended(open, group, count, failure));
        } catch (RuntimeException e) {
            ended(open, group, null, e);
        }
    }

    private void ended(
            StatefulRedisConnection<byte[], byte[]> open,
            List<ConfirmerCall<?>> group,
            @Nullable Long confirmations,
            @Nullable Throwable failure) {
        if (failure != null) {
            connection = null;
            link.tellers().execute(open::close);
            link.connector().refresh();
        }
        goOn();
        StoreException unconfirmed = unconfirmed(confirmations, failure);
        group.forEach(call -> end(call, unconfirmed));
    }

    /** The next group has its turn before this one is told. */
    private void goOn() {
        synchronized (lock) {
            underway = !waiting.isEmpty();
            if (!underway) {
                return;
            }
        }
        next();
    }

    private @Nullable StoreException unconfirmed(@Nullable Long confirmations, @Nullable Throwable failure) {
        if (confirmations == null) {
            return link.fault(failure == null ? new IllegalStateException("no answer to WAIT") : failure);
        }
        return confirmations >= replicas
                ? null
                : new StoreException(
                        confirmations + " of the " + replicas + " replicas that are to confirm to Redis at "
                                + link.uri() + " did so within " + patience.toMillis()
                                + " ms; what it was asked may have happened: look at its replicas, or ask for fewer");
    }

    private void end(ConfirmerCall<?> call, @Nullable StoreException unconfirmed) {
        Throwable refused = call.failure();
        Redirection redirection = refused == null ? null : Redirection.of(String.valueOf(refused.getMessage()), node);
        if (refused instanceof RedisNoScriptException) {
            call.unheardOf();
            submit(call);
        } else if (redirection != null) {
            elsewhere.accept(call, redirection);
        } else if (refused != null) {
            call.fail(link.fault(refused));
        } else if (unconfirmed != null) {
            call.fail(unconfirmed);
        } else {
            call.tell();
        }
    }
}
