package dev.semel.redis.connection;

import dev.semel.StoreException;
import dev.semel.redis.uri.RedisUri;
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
 * Runs scripts on one primary, and waits for its replicas to confirm them.
 *
 * <ol>
 *   <li>Calls that arrive during a {@code WAIT} form the next group: their scripts, then one {@code WAIT} for all of them. There
 *       is no timer: a lone call is sent at once.
 *   <li>A group uses one connection, which is never reconnected within a group: a {@code WAIT} on a connection other than the
 *       scripts' would report replicas that have not confirmed them.
 *   <li>A call succeeds only if its script ran and the {@code WAIT} behind it counted enough replicas. Otherwise it fails, and
 *       its write may have happened.
 *   <li>After a fault of the connection, the next group opens a new one.
 * </ol>
 */
final class ConfirmerLane {

    /** The same limit as for the shared connection: calls beyond it fail at once. */
    private static final int MAX_QUEUE = 100_000;

    private final Link link;
    private final RedisUri.@Nullable Node node;
    private final BiConsumer<ConfirmerCall<?>, Redirection> redirect;
    private final Object lock = new Object();
    private final Deque<ConfirmerCall<?>> waiting = new ArrayDeque<>();
    private final int replicas;

    /** Half of the caller's timeout: a call may have to wait for the group before its own as well. */
    private final Duration maxWait;

    private boolean busy;

    /** Used by the thread that has set {@link #busy}, one at a time. */
    private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;

    /**
     * A lane to this server.
     *
     * @param node which server of a cluster; null where there is only one
     * @param redirect takes calls that the server redirects to another node
     */
    ConfirmerLane(Link link, RedisUri.@Nullable Node node, BiConsumer<ConfirmerCall<?>, Redirection> redirect) {
        this.link = link;
        this.node = node;
        this.redirect = redirect;
        this.replicas = link.uri().options().replicas();
        this.maxWait = link.uri().options().timeout().dividedBy(2).plusMillis(1);
    }

    void submit(ConfirmerCall<?> call) {
        boolean first;
        synchronized (lock) {
            if (waiting.size() >= MAX_QUEUE) {
                call.fail(RedisFaults.queueFull(link.uri(), MAX_QUEUE));
                return;
            }
            waiting.add(call);
            first = !busy;
            busy = true;
        }
        if (first) {
            sendNextGroup();
        }
    }

    private List<ConfirmerCall<?>> takeGroup() {
        synchronized (lock) {
            List<ConfirmerCall<?>> group = new ArrayList<>(waiting);
            waiting.clear();
            return group;
        }
    }

    private void sendNextGroup() {
        connected().whenComplete((open, failure) -> {
            if (open != null) {
                send(open);
            } else {
                List<ConfirmerCall<?>> group = takeGroup();
                proceed();
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

    private void send(StatefulRedisConnection<byte[], byte[]> open) {
        connection = open;
        List<ConfirmerCall<?>> group = takeGroup();
        try {
            RedisAsyncCommands<byte[], byte[]> commands = open.async();
            group.forEach(call -> call.send(commands));
            commands.waitForReplication(replicas, maxWait.toMillis())
                    .whenComplete((count, failure) -> finish(open, group, count, failure));
        } catch (RuntimeException e) {
            finish(open, group, null, e);
        }
    }

    private void finish(
            StatefulRedisConnection<byte[], byte[]> open,
            List<ConfirmerCall<?>> group,
            @Nullable Long confirmations,
            @Nullable Throwable failure) {
        if (failure != null) {
            connection = null;
            link.callbacks().execute(open::close);
            link.connector().refresh();
        }
        proceed();
        StoreException unconfirmed = unconfirmed(confirmations, failure);
        group.forEach(call -> complete(call, unconfirmed));
    }

    /** Sends the next group, before the replies of this one are delivered. */
    private void proceed() {
        synchronized (lock) {
            busy = !waiting.isEmpty();
            if (!busy) {
                return;
            }
        }
        sendNextGroup();
    }

    private @Nullable StoreException unconfirmed(@Nullable Long confirmations, @Nullable Throwable failure) {
        if (confirmations == null) {
            return link.fault(failure == null ? new IllegalStateException("no reply to WAIT") : failure);
        }
        return confirmations >= replicas
                ? null
                : new StoreException("only " + confirmations + " of " + replicas + " replicas of Redis at " + link.uri()
                        + " confirmed within " + maxWait.toMillis()
                        + " ms; the write may have happened: check the replicas, or set replicas to a lower number");
    }

    private void complete(ConfirmerCall<?> call, @Nullable StoreException unconfirmed) {
        Throwable refused = call.failure();
        Redirection redirection = refused == null ? null : Redirection.of(String.valueOf(refused.getMessage()), node);
        if (refused instanceof RedisNoScriptException) {
            call.sendText();
            submit(call);
        } else if (redirection != null) {
            redirect.accept(call, redirection);
        } else if (refused != null) {
            call.fail(link.fault(refused));
        } else if (unconfirmed != null) {
            call.fail(unconfirmed);
        } else {
            call.deliver();
        }
    }
}
