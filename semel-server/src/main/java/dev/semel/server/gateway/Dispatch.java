package dev.semel.server.gateway;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One protected request on its way to the service, sent once and never again.
 *
 * <ol>
 *   <li>While there is no connection, nothing was sent: {@link Receiver#notSent}.
 *   <li>From the write on, which hands over the whole request at once, every failure is {@link Receiver#lost}. The one
 *       exception is a service that says in HTTP/2 that it did not begin with the request.
 *   <li>The answer is read to its end, whether or not a client still waits for it.
 * </ol>
 *
 * <p>All of it runs on the event loop on which it was started.
 */
final class Dispatch {

    /** What a dispatch tells: first about the head, then the body; {@code notSent}, {@code end} or {@code lost} is the last. */
    interface Receiver {

        /** Nothing of the request has left the gateway. */
        void notSent(String reason);

        void head(HttpClientResponse head);

        void data(Buffer bytes);

        /** The answer is complete. */
        void end(MultiMap trailers);

        /** Something of the request may have reached the service, and its answer did not arrive whole. */
        void lost(String reason);
    }

    /** HTTP/2: the stream was closed before any processing of the request (RFC 9113, section 8.7). */
    private static final long REFUSED_STREAM = 0x7;

    /** A status has three digits (RFC 9110, section 15). */
    private static final int GREATEST_STATUS = 999;

    private final Receiver receiver;
    private final Upstream upstream;
    private Upstream.@Nullable Ready ready;
    private @Nullable HttpClientResponse response;
    private boolean connectionClosed;
    private boolean sent;
    private boolean written;
    private boolean over;

    Dispatch(Upstream upstream, Receiver receiver) {
        this.upstream = upstream;
        this.receiver = receiver;
    }

    /** Starts. Returns at once. */
    void start(ForwardedHead head, Buffer body) {
        try {
            upstream.certain(head.toOptions(upstream))
                    .onComplete(connected -> send(connected, head, body), this::failed);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void send(Upstream.Ready connected, ForwardedHead head, Buffer body) {
        ready = connected;
        if (over) {
            abandon();
            return;
        }
        HttpClientRequest request = connected.request();
        request.connection().closeHandler(closed -> connectionClosed = true);
        request.exceptionHandler(this::failed);
        try {
            head.applyTo(request, body.length());
            if (connectionClosed) {
                failed(new ConnectException("the connection was closed before it was used"));
                return;
            }
            sent = true;
            request.response().onComplete(this::answered, this::failed);
            request.end(body).onComplete(whole -> written = true, this::failed);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void answered(HttpClientResponse head) {
        if (over) {
            return;
        }
        head.exceptionHandler(this::failed);
        if (head.statusCode() < 200) {
            // An interim response of a kind that the client does not know, which it takes for the answer.
            lost("upstream_interim_answer");
            return;
        }
        if (head.statusCode() > GREATEST_STATUS) {
            lost("upstream_malformed_answer");
            return;
        }
        if (HopByHop.hasOtherCoding(head.headers())) {
            lost("upstream_malformed_answer");
            return;
        }
        response = head;
        head.handler(bytes -> {
            if (!over) {
                receiver.data(bytes);
            }
        });
        head.endHandler(end -> ended(head));
        receiver.head(head);
    }

    private void ended(HttpClientResponse head) {
        if (over) {
            return;
        }
        over = true;
        if (written && ready != null) {
            upstream.release(ready, head);
        } else {
            // The service answered before it had the whole request, and may take the rest of it for the next.
            close();
        }
        receiver.end(head.trailers());
    }

    private void failed(Throwable cause) {
        if (over) {
            return;
        }
        if (sent && (response != null || !isRefusedStream(cause))) {
            lost(
                    cause instanceof IOException
                                    || cause instanceof HttpClosedException
                                    || cause instanceof StreamResetException
                            ? "upstream_connection_lost"
                            : "upstream_malformed_answer");
        } else {
            over = true;
            abandon();
            receiver.notSent(reasonOf(cause));
        }
    }

    private void lost(String reason) {
        over = true;
        abandon();
        receiver.lost(reason);
    }

    /**
     * Whether the service said in HTTP/2 that it did not begin with the request. That it closed the connection after an earlier
     * one ({@code GOAWAY}) is not counted: Vert.x 5.1 hands that over in a buffer which may be released already.
     */
    private static boolean isRefusedStream(Throwable cause) {
        return cause instanceof StreamResetException reset && reset.getCode() == REFUSED_STREAM;
    }

    private static String reasonOf(Throwable cause) {
        if (cause instanceof StreamResetException) {
            return "stream_refused";
        }
        if (cause instanceof UnknownHostException) {
            return "host_unknown";
        }
        if (cause instanceof SSLException) {
            return "tls_failed";
        }
        if (cause instanceof TimeoutException
                || cause.getClass().getSimpleName().contains("Timeout")) {
            return "connect_timeout";
        }
        return cause instanceof ConnectException ? "connection_refused" : "connect_failed";
    }

    /** Whether something of the request may have left the gateway. */
    boolean isSent() {
        return sent;
    }

    /** Stops reading until {@link #resume}. */
    void pause() {
        if (response != null) {
            response.pause();
        }
    }

    void resume() {
        if (response != null) {
            response.resume();
        }
    }

    /** Gives up what has not arrived. The receiver gets nothing more. */
    void abandon() {
        over = true;
        if (ready != null) {
            ready.request().reset();
        }
        close();
    }

    /** Closes a connection that no other request shares. */
    private void close() {
        HttpClientConnection connection = ready == null ? null : ready.connection();
        if (connection != null) {
            connection.close();
        }
    }
}
