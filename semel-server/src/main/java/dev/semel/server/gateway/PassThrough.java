package dev.semel.server.gateway;

import dev.semel.http.Headers;
import dev.semel.server.gateway.config.GrpcStatusRule;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request that is not protected, on its way to the service and back: bodies pass in both directions as they arrive, no
 * faster than the receiver takes them. It is sent once; a client that leaves ends it.
 */
final class PassThrough {

    private final HttpServerRequest request;
    private final ClientAnswer client;
    private final ForwardedHead head;
    private final Upstream upstream;
    private final StallLimit stalls;
    private boolean answering;
    private boolean over;
    private boolean sent;
    private long unsent;
    private long unanswered;

    PassThrough(Exchange exchange, Upstream upstream) {
        this.request = exchange.request();
        this.client = exchange.client();
        this.head = exchange.head();
        this.stalls = exchange.seat().stalls();
        this.upstream = upstream;
    }

    /** Forwards a request whose body has not been read. */
    void forward() {
        request.pause();
        forward(null);
    }

    /** @param body null when it has not been read */
    void forward(@Nullable Buffer body) {
        upstream.pooled(head.toOptions(upstream)).onComplete(ready -> begin(ready, body), unreachable -> {
            client.send(GatewayProblems.unreachable());
            readOn();
        });
    }

    /** Passes on the answer to a request without a body that was sent already. */
    void pass(HttpClientRequest ready, HttpClientResponse answer) {
        endWithClient(ready);
        answer(answer);
    }

    private void endWithClient(HttpClientRequest ready) {
        client.whenGone(() -> {
            if (!over) {
                over = true;
                ready.reset();
            }
        });
    }

    private void begin(HttpClientRequest ready, @Nullable Buffer body) {
        if (client.isGone()) {
            ready.reset();
            return;
        }
        endWithClient(ready);
        ready.exceptionHandler(failure -> failed());
        ready.response().onComplete(this::answer, failure -> failed());
        if (body != null) {
            head.applyTo(ready, body.length());
            ready.end(body);
        } else {
            head.applyTo(ready);
            sendBody(ready);
        }
    }

    private void sendBody(HttpClientRequest ready) {
        String length = request.getHeader("Content-Length");
        if (length == null && !hasChunks()) {
            ready.end();
            readOn();
            return;
        }
        unsent = lengthOf(length);
        if (length != null) {
            ready.putHeader("Content-Length", length);
        } else {
            ready.setChunked(true);
        }
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
            ready.putHeader("Expect", "100-continue");
            ready.continueHandler(go -> {
                request.response().writeContinue();
                pipe(ready);
            });
            ready.writeHead();
        } else {
            if (length == null) {
                // A service may answer before the first byte of a stream.
                ready.writeHead();
            }
            pipe(ready);
        }
    }

    /**
     * Sends the body no faster than the service takes it; its last bytes and its end are one write where its length says so. A
     * client of HTTP/1.1 that stops in its middle is not waited for.
     */
    private void pipe(HttpClientRequest ready) {
        if (request.isEnded()) {
            ready.end();
            return;
        }
        Deadlines.Deadline sending = stalls.of(() -> stalled(ready));
        Runnable wait = client.isHttp1() ? sending::renew : () -> {};
        request.handler(bytes -> {
            wait.run();
            if (!over) {
                send(bytes, ready, sending, wait);
            }
        });
        request.endHandler(end -> {
            sending.cancel();
            if (!sent && (!over || answering)) {
                ready.end();
            }
        });
        request.exceptionHandler(left -> {
            sending.cancel();
            ready.reset();
        });
        wait.run();
        readOn();
    }

    private void send(Buffer bytes, HttpClientRequest ready, Deadlines.Deadline sending, Runnable wait) {
        unsent -= bytes.length();
        if (unsent == 0) {
            sent = true;
            ready.end(bytes);
        } else {
            ready.write(bytes);
            holdBackWhileFull(ready, sending, wait);
        }
    }

    private void holdBackWhileFull(HttpClientRequest ready, Deadlines.Deadline sending, Runnable wait) {
        if (ready.writeQueueFull()) {
            request.pause();
            sending.cancel();
            ready.drainHandler(drained -> {
                wait.run();
                readOn();
            });
        }
    }

    private void stalled(HttpClientRequest ready) {
        if (over) {
            request.connection().close();
            return;
        }
        over = true;
        ready.reset();
        if (answering) {
            client.abort();
        } else {
            client.closeAfter();
            client.send(GatewayProblems.stalled());
        }
    }

    /** Whether a body follows whose length was not declared. */
    private boolean hasChunks() {
        return request.getHeader("Transfer-Encoding") != null
                || (request.version().alpnName().startsWith("h2") && !request.isEnded());
    }

    private void answer(HttpClientResponse answer) {
        answer.exceptionHandler(failure -> failed());
        if (over) {
            return;
        }
        answering = true;
        Headers headers = HopByHop.endToEnd(answer.headers());
        String length = answer.getHeader("Content-Length");
        client.begin(answer.statusCode(), headers, length == null ? "" : length);
        if (isStream(headers)) {
            client.sendHead();
        }
        // An answer in HTTP/2 may have trailers behind its last byte.
        unanswered = answer.version() == HttpVersion.HTTP_2 ? -1 : lengthOf(length);
        answer.handler(bytes -> {
            unanswered -= bytes.length();
            if (unanswered == 0) {
                over = true;
                client.end(bytes);
            } else {
                client.write(bytes);
                if (client.isBehind()) {
                    answer.pause();
                    client.whenReady(answer::resume);
                }
            }
        });
        answer.endHandler(end -> {
            over = true;
            client.end(HopByHop.endToEnd(answer.trailers()));
            readOn();
        });
    }

    /** Whether a client waits for the head of this answer alone: its first part may come much later. */
    private static boolean isStream(Headers headers) {
        String type = headers.first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        boolean opensGrpc = GrpcCall.isAbout(headers)
                && headers.first(GrpcStatusRule.STATUS).isEmpty();
        return opensGrpc || type.startsWith("text/event-stream");
    }

    private void failed() {
        if (over) {
            return;
        }
        over = true;
        if (answering) {
            client.abort();
        } else {
            client.send(GatewayProblems.brokenOff());
        }
        readOn();
    }

    /** The length of a body; -1, which no sum of bytes reaches, where it was not declared. */
    private static long lengthOf(@Nullable String declared) {
        try {
            return declared == null ? -1 : Long.parseLong(declared);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Reads on, unless everything has been read. */
    private void readOn() {
        if (!request.isEnded()) {
            request.resume();
        }
    }
}
