package dev.semel.micronaut;

import dev.semel.http.Body;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.body.ByteBody;
import io.micronaut.http.body.CloseableAvailableByteBody;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** Reads the body of a request, and leaves it there for the controller. */
final class RequestBody {

    private RequestBody() {}

    /** The body; empty when it is longer than allowed. */
    static Mono<Optional<Body>> read(HttpRequest<?> request, int limit) {
        if (!(request instanceof ServerHttpRequest<?> server)) {
            return Mono.error(
                    new IllegalStateException("the body of a protected request cannot be read: an earlier filter has"
                            + " replaced the request; nothing was executed"));
        }
        ByteBody whole = server.byteBody();
        if (whole.expectedLength().orElse(0) > limit) {
            return Mono.just(Optional.empty());
        }
        return Mono.fromFuture(() -> whole.split(ByteBody.SplitBackpressureMode.FASTEST)
                        .buffer()
                        .thenApply(available -> taken(available, limit)))
                .onErrorResume(
                        io.micronaut.http.exceptions.ContentLengthExceededException.class,
                        tooLong -> Mono.just(Optional.empty()));
    }

    private static Optional<Body> taken(CloseableAvailableByteBody available, int limit) {
        try (available) {
            return available.length() > limit ? Optional.empty() : Optional.of(Body.of(available.toByteArray()));
        }
    }
}
