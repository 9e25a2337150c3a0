package dev.semel.admin.access;

import dev.semel.http.Body;
import dev.semel.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the transport sends.
 *
 * @param events when present, the response never ends: the transport sends {@code body}, and then the text of one event after
 *     the other, one a second, until the client is gone
 */
public record AdminResponse(
        int status, Headers headers, Body body, @Nullable Supplier<String> events) {

    /** A response that ends with its body. */
    public static AdminResponse of(int status, String type, byte[] body) {
        return new AdminResponse(status, Headers.of("Content-Type", type), Body.of(body), null);
    }

    /** A response of JSON. */
    public static AdminResponse json(int status, Object json) {
        return of(status, "application/json", json.toString().getBytes(StandardCharsets.UTF_8));
    }

    public AdminResponse withEvents(Supplier<String> others) {
        return new AdminResponse(status, headers, body, others);
    }

    public AdminResponse with(String name, String value) {
        return new AdminResponse(status, headers.with(name, value), body, events);
    }
}
