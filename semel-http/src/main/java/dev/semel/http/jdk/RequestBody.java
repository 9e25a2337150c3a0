package dev.semel.http.jdk;

import com.sun.net.httpserver.HttpExchange;
import dev.semel.http.Body;
import java.io.IOException;
import java.util.Optional;

/** Reads the body of a request, once. */
final class RequestBody {

    private RequestBody() {}

    /**
     * Reads the body to its end; empty when it is longer than allowed.
     *
     * @throws IOException when the client disconnects before the end
     * @throws IllegalStateException when an earlier filter has read it already, so that its content is lost
     */
    static Optional<Body> read(HttpExchange exchange, int max) throws IOException {
        long declared = declaredLength(exchange);
        if (declared > max) {
            return Optional.empty();
        }
        byte[] bytes = exchange.getRequestBody().readNBytes(max + 1);
        if (bytes.length > max) {
            return Optional.empty();
        }
        if (bytes.length == 0 && declared > 0) {
            throw new IllegalStateException(
                    "the body of a protected request is gone, because an earlier filter has read"
                            + " it; nothing was executed. Have that filter put it back with setStreams");
        }
        return Optional.of(Body.of(bytes));
    }

    private static long declaredLength(HttpExchange exchange) {
        String declared = exchange.getRequestHeaders().getFirst("Content-Length");
        try {
            return declared == null ? -1 : Long.parseLong(declared.strip());
        } catch (NumberFormatException malformed) {
            return -1;
        }
    }
}
