package dev.semel.server.gateway.config;

import dev.semel.Failures;
import dev.semel.http.Headers;
import dev.semel.http.ResponseRule;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the answers of a gRPC service mean: in HTTP they are all 200, and their status is in the trailers. It means the same as
 * to the interceptor of {@code semel-grpc}.
 *
 * @param failures what a failure of the service means on this route
 */
public record GrpcStatusRule(Failures failures) implements ResponseRule {

    /** The field that ends every answer: in the trailers, or in the headers of an answer that has nothing else. */
    public static final String STATUS = "grpc-status";

    private static final String MEDIA_TYPE = "application/grpc";

    @Override
    public Optional<Failures> judge(int status, Headers headersAndTrailers) {
        boolean ofGrpc = status == 200
                && isMediaType(headersAndTrailers.first("Content-Type").orElse(null));
        return ofGrpc ? statusOf(headersAndTrailers).map(this::meaning) : Optional.empty();
    }

    private Failures meaning(int status) {
        return switch (status) {
            // PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNIMPLEMENTED, UNAUTHENTICATED: refused before execution
            case 7, 8, 12, 16 -> Failures.RETRY;
            // CANCELLED, DEADLINE_EXCEEDED: given up on the way
            case 1, 4 -> Failures.RECONCILE;
            // UNKNOWN, INTERNAL, UNAVAILABLE, DATA_LOSS
            case 2, 13, 14, 15 -> failures;
            default -> Failures.REPLAY;
        };
    }

    /** Whether this is the media type of gRPC. That of gRPC-Web is not: its trailers are in the body, so that any HTTP will do. */
    public static boolean isMediaType(@Nullable String contentType) {
        if (contentType == null) {
            return false;
        }
        String type = contentType.toLowerCase(Locale.ROOT);
        return type.startsWith(MEDIA_TYPE)
                && (type.length() == MEDIA_TYPE.length() || "+; ".indexOf(type.charAt(MEDIA_TYPE.length())) >= 0);
    }

    /** The status of an answer, from its headers and trailers; empty when it has none that is a number. */
    public static Optional<Integer> statusOf(Headers headersAndTrailers) {
        return headersAndTrailers
                .first(STATUS)
                .filter(text -> text.matches("[0-9]{1,2}"))
                .map(Integer::parseInt);
    }
}
