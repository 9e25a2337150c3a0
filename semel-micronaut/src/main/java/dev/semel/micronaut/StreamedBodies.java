package dev.semel.micronaut;

import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.http.server.types.files.FileCustomizableResponseType;
import java.io.File;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The bodies of responses that the server sends in parts, or reads from elsewhere, after all filters. */
final class StreamedBodies {

    private StreamedBodies() {}

    static boolean contains(@Nullable Object body) {
        return body instanceof InputStream
                || body instanceof File
                || body instanceof FileCustomizableResponseType
                || (body != null && Publishers.isConvertibleToPublisher(body.getClass()));
    }
}
