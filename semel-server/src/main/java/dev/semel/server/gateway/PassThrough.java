package dev.semel.server.gateway;

import dev.semel.http.Headers;
import dev.semel.server.gateway.config.GrpcStatusRule;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/**
 * A request that is not protected, on its way to the service and back: bodies pass in both directions as they arrive, no
 * faster than the receiver takes them. It is sent once; a client that leaves ends it.
 *
 * <p>A service may answer before it has the whole body. When its answer is complete, nothing more is sent, and its connection is
 * closed: it would take the next request on it for the rest of the body.
 */
final class PassThrough {

    /** The other status without a body is 304, which may repeat the length of the body that the client has. */
    private static final int NO_CONTENT = 204;

    private static final String EVENTS = "text/event-stream";

    private final HttpServerRequest request;
    private final ClientAnswer client;
    private final ForwardedHead head;
    private final Upstream upstream;
    private final StallLimit stalls;
    private boolean holdingBack;
    private boolean answering;
    private boolean over;
    private boolean sentWhole;
    private long discarded;
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
        sentWhole = true;
        endWithClient(ready);
        answer(ready, answer);
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
        ready.exceptionHandler(failure -> failed());
        if (client.isGone()) {
            over = true;
            ready.reset();
            return;
        }
        endWithClient(ready);
        ready.response().onComplete(answer -> answer(ready, answer), failure -> failed());
        if (body != null) {
            head.applyTo(ready, body.length());
            end(ready, body);
        } else {
            head.applyTo(ready);
            sendBody(ready);
        }
    }

    private void end(HttpClientRequest ready) {
        sentWhole = true;
        ready.end();
    }

    private void end(HttpClientRequest ready, Buffer last) {
        sentWhole = true;
        ready.end(last);
    }

    private void sendBody(HttpClientRequest ready) {
        String length = request.getHeader("Content-Length");
        if (length == null && !hasChunks()) {
            end(ready);
            readOn();
            return;
        }
        unsent = lengthOf(length);
        if (length != null) {
            ready.putHeader("Content-Length", length);
        } else {
            ready.setChunked(true);
        }
        if (HopByHop.awaitsContinue(request)) {
            ready.putHeader("Expect", "100-continue");
            holdingBack = true;
            ready.continueHandler(go -> {
                if (holdingBack && !over) {
                    holdingBack = false;
                    request.response().writeContinue();
                    pipe(ready);
                }
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
            end(ready);
            return;
        }
        Deadlines.Deadline sending = stalls.of(() -> stalled(ready));
        Runnable wait = client.isHttp1() ? sending::renew : () -> {};
        request.handler(bytes -> {
            wait.run();
            if (over) {
                discard(bytes);
            } else {
                send(bytes, ready, sending, wait);
            }
        });
        request.endHandler(end -> {
            sending.cancel();
            if (!sentWhole && !over) {
                end(ready);
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
            end(ready, bytes);
        } else {
            ready.write(bytes);
            holdBackWhileFull(ready, sending, wait);
        }
    }

    /** What is left of a body for which there is an answer already; a client that does not end it is not waited for. */
    private void discard(Buffer bytes) {
        discarded += bytes.length();
        if (discarded > Limits.DISCARDED_BYTES) {
            client.abort();
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
            client.abort();
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

    private void answer(HttpClientRequest ready, HttpClientResponse answer) {
        answer.exceptionHandler(failure -> failed());
        if (over) {
            return;
        }
        answering = true;
        if (holdingBack) {
            // The body that the client held back would be taken for the next request.
            client.closeAfter();
        }
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
            if (!sentWhole) {
                ready.reset();
            } else if (answer.statusCode() == NO_CONTENT && HopByHop.declaresBodyInVain(answer)) {
                ready.connection().close();
            }
            readOn();
        });
    }

    /** Whether a client waits for the head of this answer alone: its first part may come much later. */
    private static boolean isStream(Headers headers) {
        String type = headers.first("Content-Type").orElse("");
        boolean opensGrpc = GrpcStatusRule.isMediaType(type)
                && headers.first(GrpcStatusRule.STATUS).isEmpty();
        return opensGrpc || type.regionMatches(true, 0, EVENTS, 0, EVENTS.length());
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
