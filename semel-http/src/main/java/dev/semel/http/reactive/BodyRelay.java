package dev.semel.http.reactive;

import dev.semel.http.Body;
import java.util.concurrent.ConcurrentLinkedQueue;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A body on its way from a handler to its client, one chunk after the other: the handler is asked for the next when the
 * client has taken the one before. A client that has gone takes everything.
 *
 * <p>One handler gives, and waits for each chunk before the next; one client takes.
 */
final class BodyRelay {

    private record Chunk(Body bytes, Sinks.Empty<Void> taken) {}

    private final Sinks.Many<Chunk> chunks =
            Sinks.unsafe().many().unicast().onBackpressureBuffer(new ConcurrentLinkedQueue<>());
    private final ClientDelivery delivery;

    BodyRelay(ClientDelivery delivery) {
        this.delivery = delivery;
    }

    /** Completes when the chunk was taken. */
    Mono<Void> give(Body bytes) {
        return Mono.defer(() -> {
            if (delivery.isOver()) {
                return Mono.empty();
            }
            Chunk chunk = new Chunk(bytes, Sinks.empty());
            chunks.tryEmitNext(chunk);
            return Mono.firstWithSignal(chunk.taken().asMono(), delivery.over());
        });
    }

    void end() {
        chunks.tryEmitComplete();
    }

    /** The handler failed in the middle of it: the client must not take what it has for the whole. */
    void fail(Throwable failure) {
        chunks.tryEmitError(failure);
    }

    Flux<Body> toClient() {
        return chunks.asFlux().doOnNext(chunk -> chunk.taken().tryEmitEmpty()).map(Chunk::bytes);
    }
}
