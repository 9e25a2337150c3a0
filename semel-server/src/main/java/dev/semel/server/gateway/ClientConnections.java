package dev.semel.server.gateway;

import dev.semel.server.gateway.config.LimitsConfig;
import io.vertx.core.http.HttpConnection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** The connections of clients on one event loop, and how long each may be without a request. */
final class ClientConnections {

    private final Deadlines deadlines;
    private final LimitsConfig limits;
    private final IdentityHashMap<HttpConnection, Tracked> open = new IdentityHashMap<>();

    /** Connections of HTTP/1.1 whose next bytes may be anything. */
    private final Set<HttpConnection> unreadable = Collections.newSetFromMap(new IdentityHashMap<>());

    ClientConnections(Deadlines deadlines, LimitsConfig limits) {
        this.deadlines = deadlines;
        this.limits = limits;
    }

    /** The head of a connection's first request is there; in HTTP/2 the client has only begun, and may leave it at that. */
    void opened(HttpConnection connection) {
        Tracked tracked = new Tracked(deadlines.of(limits.idle(), () -> ForcedClose.of(connection)));
        open.put(connection, tracked);
        tracked.next.renew();
        HeadDeadline.reached(connection);
        connection.closeHandler(closed -> closed(connection));
    }

    private void closed(HttpConnection connection) {
        unreadable.remove(connection);
        Tracked tracked = open.remove(connection);
        if (tracked != null) {
            tracked.next.cancel();
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
