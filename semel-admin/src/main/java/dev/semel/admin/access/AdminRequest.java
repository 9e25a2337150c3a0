package dev.semel.admin.access;

import dev.semel.http.Body;
import dev.semel.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A request as the transport received it.
 *
 * @param path behind the place where the transport has mounted {@code /semel}, such as {@code /api/v1/health}; not decoded
 * @param query behind the question mark, not decoded; empty when there is none
 * @param address where it came from
 * @param secure whether the client speaks TLS, as far as the transport knows
 * @param caller the person whom the transport has authenticated; null where the API does that itself
 */
public record AdminRequest(
        String method,
        String path,
        String query,
        Headers headers,
        Body body,
        String address,
        boolean secure,
        @Nullable Caller caller) {

    /** A request without a query, whose caller the API finds out itself. */
    public AdminRequest(String method, String path, Headers headers, byte[] body, String address, boolean secure) {
        this(method, path, "", headers, Body.of(body), address, secure, null);
    }

    /** The largest body that a transport needs to hand over: a response to settle with, in JSON. */
    public static final int MAX_BODY = 2 << 20;
}
