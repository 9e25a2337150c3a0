package dev.semel.jaxrs;

import dev.semel.http.Body;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;

/** Reads the body of a request, once, and puts it back for the resource method. */
final class RequestBody {

    private RequestBody() {}

    /**
     * Reads the body to its end; empty when it is longer than allowed.
     *
     * @throws IllegalStateException when an earlier filter has read it already, so that its content is lost
     */
    static Optional<Body> read(ContainerRequestContext request, int max) throws IOException {
        long declared = declaredLength(request);
        if (declared > max) {
            return Optional.empty();
        }
        byte[] bytes = request.getEntityStream().readNBytes(max + 1);
        if (bytes.length > max) {
            return Optional.empty();
        }
        if (bytes.length == 0 && declared > 0) {
            throw new IllegalStateException(
                    "the body of a protected request is gone, because an earlier filter has read"
                            + " it; nothing was executed. Have that filter put it back with setEntityStream");
        }
        request.setEntityStream(new ByteArrayInputStream(bytes));
        return Optional.of(Body.of(bytes));
    }

    private static long declaredLength(ContainerRequestContext request) {
        String declared = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
        try {
            return declared == null ? -1 : Long.parseLong(declared.strip());
        } catch (NumberFormatException malformed) {
            return -1;
        }
    }
}
