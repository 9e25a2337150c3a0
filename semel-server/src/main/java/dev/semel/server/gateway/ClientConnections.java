package dev.semel.server.gateway;

import dev.semel.server.gateway.config.LimitsConfig;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** The connections of clients on one event loop: how many there are, and how long each may be without a request. */
final class ClientConnections {

    /** The connections of all event loops. */
    static final class Count {
        private final AtomicInteger open = new AtomicInteger();
    }

    private final Deadlines deadlines;
    private final LimitsConfig limits;
    private final Count count;
    private final IdentityHashMap<HttpConnection, Tracked> open = new IdentityHashMap<>();

    /** Connections of HTTP/1.1 whose next bytes may be anything. */
    private final Set<HttpConnection> unreadable = Collections.newSetFromMap(new IdentityHashMap<>());

    ClientConnections(Deadlines deadlines, LimitsConfig limits, Count count) {
        this.deadlines = deadlines;
        this.limits = limits;
        this.count = count;
    }

    /** The head of a connection's first request is there. It is closed if there are too many. */
    void opened(HttpConnection connection) {
        if (count.open.incrementAndGet() > limits.connections()) {
            count.open.decrementAndGet();
            connection.close();
            return;
        }
        open.put(connection, new Tracked(deadlines.of(limits.idle(), () -> ForcedClose.of(connection))));
        stopSilenceTimer(connection);
        connection.closeHandler(closed -> closed(connection));
    }

    /** From now on the deadlines here count: a client that waits for its answer may be silent. */
    private static void stopSilenceTimer(HttpConnection connection) {
        if (connection instanceof HttpServerConnection server) {
            ChannelPipeline pipeline = server.channelHandlerContext().pipeline();
            if (pipeline.get(IdleStateHandler.class) != null) {
                pipeline.remove(IdleStateHandler.class);
            }
        }
    }

    private void closed(HttpConnection connection) {
        unreadable.remove(connection);
        Tracked tracked = open.remove(connection);
        if (tracked != null) {
            tracked.next.cancel();
            count.open.decrementAndGet();
        }
    }

    /** Has every further request on this connection ignored: where the next one begins is not certain. */
    void takeNoMore(HttpConnection connection) {
        unreadable.add(connection);
    }

    boolean isUnreadable(HttpConnection connection) {
        return !unreadable.isEmpty() && unreadable.contains(connection);
    }

    StallLimit stalls() {
        return new StallLimit(deadlines, limits.stalled());
    }

    /** The head of a request is there. */
    void began(HttpConnection connection) {
        Tracked tracked = open.get(connection);
        if (tracked != null) {
            tracked.requests++;
            tracked.next.cancel();
        }
    }

    /** A request is over; another one may follow. */
    void ended(HttpConnection connection) {
        Tracked tracked = open.get(connection);
        if (tracked != null && --tracked.requests == 0) {
            tracked.next.renew();
        }
    }

    private static final class Tracked {
        private final Deadlines.Deadline next;
        private int requests;

        private Tracked(Deadlines.Deadline next) {
            this.next = next;
        }
    }
}
