package dev.semel.server.gateway;

import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Connections in HTTP/1.1 on which an answer ended a moment ago, for the next protected request to the same service.
 *
 * <ol>
 *   <li>A connection is kept after a whole answer that does not announce its end, and for no longer than a limit far below the
 *       time after which services close idle connections. A service that says a shorter time is believed.
 *   <li>The one that was used last is used first. One that was closed, or on which anything arrived meanwhile, is not used.
 *   <li>When the service closes one that is kept, it is shutting down, or it closes connections without saying so. The others
 *       are not used either then, and none is kept for a while.
 *   <li>What remains is a service that closes a connection just when a request is written to it, as it may when it shuts down.
 *       Then the outcome of that request is unknown, as on any connection that is lost; it is never sent again.
 * </ol>
 *
 * <p>Each event loop has its own, and only its thread touches them.
 */
final class KeptConnections {

    private static final String TIMEOUT = "timeout=";
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** As long as a service takes to restart, more or less. New connections cost some time meanwhile, and nothing else. */
    private static final long DISTRUST_NANOS = 60 * NANOS_PER_SECOND;

    private final Vertx vertx;
    private final Duration longest;
    private final ThreadLocal<Idle> idle = ThreadLocal.withInitial(Idle::new);
    private volatile long trustedFrom = System.nanoTime();

    /** @param longest how long a connection may have been idle; zero keeps none */
    KeptConnections(Vertx vertx, Duration longest) {
        this.vertx = vertx;
        this.longest = longest;
    }

    boolean keepsNone() {
        return longest.isZero();
    }

    /** A connection that may be used now; null when there is none. */
    @Nullable
    HttpClientConnection take() {
        return idle.get().take(System.nanoTime());
    }

    /** Uses no connection again for a while: the service closed one that was kept. */
    void distrust() {
        trustedFrom = System.nanoTime() + DISTRUST_NANOS;
    }

    /** Keeps a connection whose last request and its answer were whole, or closes it. */
    void release(HttpClientConnection connection, HttpClientResponse answer) {
        long nanos = HopByHop.declaresBodyInVain(answer) ? 0 : usableNanos(answer.version(), answer.headers());
        if (nanos > 0 && System.nanoTime() - trustedFrom >= 0) {
            idle.get().add(new Kept(connection, System.nanoTime() + nanos));
        } else {
            connection.close();
        }
    }

    /** How long a connection may be idle after this answer; 0 for not at all. */
    private long usableNanos(HttpVersion version, MultiMap headers) {
        if (version != HttpVersion.HTTP_1_1
                || HopByHop.namesInConnection(headers).contains("close")) {
            return 0;
        }
        String said = headers.get("Keep-Alive");
        if (said == null) {
            return longest.toNanos();
        }
        int at = said.toLowerCase(Locale.ROOT).indexOf(TIMEOUT);
        if (at < 0) {
            return longest.toNanos();
        }
        int seconds = 0;
        for (int i = at + TIMEOUT.length(); i < said.length() && Character.isDigit(said.charAt(i)); i++) {
            seconds = Math.min(10 * seconds + Character.digit(said.charAt(i), 10), Short.MAX_VALUE);
        }
        // Half of what the service said: its clock began to run before ours.
        return Math.min(longest.toNanos(), seconds * NANOS_PER_SECOND / 2);
    }

    /** A connection without a request. */
    private final class Kept {

        private final HttpClientConnection connection;
        private final long until;
        private boolean over;

        Kept(HttpClientConnection connection, long until) {
            this.connection = connection;
            this.until = until;
            connection.closeHandler(end -> closed());
        }

        private void closed() {
            if (!over) {
                over = true;
                distrust();
            }
        }

        boolean isUsable(long now) {
            return !over && until - now > 0 && now - trustedFrom >= 0;
        }

        void close() {
            over = true;
            connection.close();
        }
    }

    /** The connections of one event loop, the one that was used last at the end. */
    private final class Idle {

        private final Deque<Kept> connections = new ArrayDeque<>();
        private boolean sweeping;

        @Nullable
        HttpClientConnection take(long now) {
            for (Kept last = connections.pollLast(); last != null; last = connections.pollLast()) {
                if (last.isUsable(now)) {
                    return last.connection;
                }
                last.close();
            }
            return null;
        }

        void add(Kept kept) {
            connections.addLast(kept);
            if (!sweeping) {
                sweeping = true;
                sweepLater();
            }
        }

        private void sweepLater() {
            vertx.setTimer(Math.max(1, longest.toMillis()), due -> sweep(System.nanoTime()));
        }

        /** Closes those that cannot be used any more, and goes on while there are others. */
        private void sweep(long now) {
            connections.removeIf(kept -> {
                boolean useless = !kept.isUsable(now);
                if (useless) {
                    kept.close();
                }
                return useless;
            });
            sweeping = !connections.isEmpty();
            if (sweeping) {
                sweepLater();
            }
        }
    }
}
