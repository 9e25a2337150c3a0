package dev.semel.http.reactive;

import java.util.concurrent.CompletableFuture;
import org.springframework.web.server.ServerErrorException;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Where an execution and its client meet: the one says what is to be sent, once, and the other sends it. Either can do
 * without the other.
 */
final class ClientDelivery {

    private final CompletableFuture<Mono<Void>> sending = new CompletableFuture<>();
    private final Sinks.Empty<Void> over = Sinks.empty();
    private volatile boolean isOver;

    /** This is what the client gets. Nothing happens if it has gone, or was given something before. */
    void give(Mono<Void> what) {
        sending.complete(what);
    }

    /** The client gets what the application makes of this failure. */
    void fail(Throwable failure) {
        // Reactor throws what it takes for the end of this JVM at whoever passes it on, and the client would wait for
        // ever.
        Throwable passable = Exceptions.isJvmFatal(failure)
                ? new ServerErrorException("the handler of a protected request failed", failure)
                : failure;
        sending.complete(Mono.error(passable));
    }

    /** Completes when the client has gone, or has got everything. */
    Mono<Void> over() {
        return over.asMono();
    }

    boolean isOver() {
        return isOver;
    }

    /** Waits for what is to be sent, and sends it; on no thread of a store. */
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
