package dev.semel.http.reactive;

import dev.semel.http.Body;
import java.util.concurrent.ConcurrentLinkedQueue;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A queue of body chunks between a handler and its client, for a response that is not held: the handler supplies the next
 * chunk when the client has taken the one before. After the client has disconnected, chunks are discarded.
 *
 * <p>For one handler and one client.
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

    /** Ends with the failure of the handler, so that the client does not mistake what it has for the whole. */
    void fail(Throwable failure) {
        chunks.tryEmitError(failure);
    }

    Flux<Body> toClient() {
        return chunks.asFlux().doOnNext(chunk -> chunk.taken().tryEmitEmpty()).map(Chunk::bytes);
    }
}
