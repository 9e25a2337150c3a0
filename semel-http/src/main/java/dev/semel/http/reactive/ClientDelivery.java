package dev.semel.http.reactive;

import java.util.concurrent.CompletableFuture;
import org.springframework.web.server.ServerErrorException;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * The handover of a response from its execution to its client: the execution supplies what is sent, once, and the client's
 * subscription sends it. Neither waits for the other.
 */
final class ClientDelivery {

    private final CompletableFuture<Mono<Void>> sending = new CompletableFuture<>();
    private final Sinks.Empty<Void> over = Sinks.empty();
    private volatile boolean isOver;

    /** Supplies what the client gets. Does nothing if the client has disconnected, or has been answered before. */
    void give(Mono<Void> what) {
        sending.complete(what);
    }

    /** Leaves the answer to the application's treatment of this failure. */
    void fail(Throwable failure) {
        // Reactor rethrows errors that it considers fatal for the JVM instead of signalling them: the client would wait
        // for ever.
        Throwable passable = Exceptions.isJvmFatal(failure)
                ? new ServerErrorException("the handler of a protected request failed", failure)
                : failure;
        sending.complete(Mono.error(passable));
    }

    /** Completes when the client has disconnected, or has got everything. */
    Mono<Void> over() {
        return over.asMono();
    }

    boolean isOver() {
        return isOver;
    }

    /** Waits for what is to be sent, and sends it; never on a thread of a store. */
    Mono<Void> toClient() {
        return Mono.fromFuture(sending, true)
                .publishOn(Schedulers.parallel())
                .flatMap(what -> what)
                .doFinally(signal -> {
                    isOver = true;
                    over.tryEmitEmpty();
                });
    }
}
