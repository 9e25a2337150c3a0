package dev.semel.admin;

import dev.semel.http.Headers;

/**
 * A request as the transport received it.
 *
 * @param path behind the place where the transport has mounted {@code /semel}, such as {@code /api/v1/health}; not decoded
 * @param address where it came from
 * @param secure whether the client speaks TLS, as far as the transport knows
 */
public record AdminRequest(
        String method, String path, Headers headers, byte[] body, String address, boolean secure) {

    /** The largest body that a transport needs to hand over: a response to settle with, in JSON. */
    public static final int MAX_BODY = 2 << 20;
}
