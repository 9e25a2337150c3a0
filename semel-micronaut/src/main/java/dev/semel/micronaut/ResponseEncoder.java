package dev.semel.micronaut;

import dev.semel.http.Body;
import dev.semel.http.HandlerResult;
import dev.semel.http.Headers;
import io.micronaut.core.io.buffer.ByteBuffer;
import io.micronaut.core.io.buffer.ReferenceCounted;
import io.micronaut.core.type.Argument;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.body.MessageBodyHandlerRegistry;
import io.micronaut.http.body.MessageBodyWriter;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteInfo;
import java.io.ByteArrayOutputStream;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the body of a response into the bytes that the server would send, so that they can be recorded before. */
final class ResponseEncoder {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private final MessageBodyHandlerRegistry bodies;

    ResponseEncoder(MessageBodyHandlerRegistry bodies) {
        this.bodies = bodies;
    }

    /**
     * Encodes the body in place.
     *
     * @param limit the longest body that is recorded
     * @param handled the exception that the framework answered with this response
     */
    HandlerResult encode(MutableHttpResponse<?> response, int limit, @Nullable Throwable handled) {
        Object body = response.body();
        if (StreamedBodies.contains(body)) {
            LOG.log(
                    Level.ERROR,
                    "the response to a protected request is a stream or a file, which cannot be recorded:"
                            + " leave its route unprotected");
            return new HandlerResult.Undetermined("streamed_response");
        }
        byte[] bytes = body == null ? new byte[0] : bytes(body, response);
        if (body != null) {
            response.body(bytes);
        }
        Headers headers = RequestHead.lines(response.getHeaders());
        return bytes.length > limit
                ? new HandlerResult.TooLarge(response.code(), headers)
                : new HandlerResult.Responded(response.code(), headers, Body.of(bytes), handled);
    }

    private byte[] bytes(Object body, MutableHttpResponse<?> response) {
        if (body instanceof byte[] bytes) {
            return bytes;
        }
        if (body instanceof ByteBuffer<?> buffer) {
            byte[] bytes = buffer.toByteArray();
            if (buffer instanceof ReferenceCounted counted) {
                counted.release();
            }
            return bytes;
        }
        return written(body, response);
    }

    @SuppressWarnings("unchecked")
    private <T> byte[] written(T body, MutableHttpResponse<?> response) {
        Argument<T> type = (Argument<T>) Argument.of(body.getClass());
        MediaType media = mediaType(response);
        MessageBodyWriter<T> writer = bodies.getWriter(type, List.of(media));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writer.createSpecific(type).writeTo(type, media, body, response.getHeaders(), out);
        if (response.getContentType().isEmpty()) {
            response.contentType(media);
        }
        return out.toByteArray();
    }

    private static MediaType mediaType(MutableHttpResponse<?> response) {
        return response.getContentType()
                .or(() -> RouteAttributes.getRouteInfo(response)
                        .map(RouteInfo::getProduces)
                        .flatMap(types -> types.stream().findFirst()))
                .orElse(MediaType.APPLICATION_JSON_TYPE);
    }
}
