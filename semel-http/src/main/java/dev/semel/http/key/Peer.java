package dev.semel.http.key;

import org.jspecify.annotations.Nullable;

/**
 * The other end of a connection: the client itself, or the proxy nearest to this service.
 *
 * @param address its IP address in text, such as {@code 10.0.0.7}
 * @param certificateSubject the subject of the certificate that it proved to own with mutual TLS; {@code null} without one
 */
public record Peer(String address, @Nullable String certificateSubject) {}
