package dev.semel.server.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * Where and how a gateway accepts requests; read at its start.
 *
 * @param tls null for clear text
 */
public record ListenerConfig(
        HostPort address, @Nullable TlsConfig tls, LimitsConfig limits, AccessLogConfig accessLog) {

    /** A listener in clear text, with the usual limits and no log. */
    public static ListenerConfig on(HostPort address) {
        return new ListenerConfig(address, null, LimitsConfig.DEFAULT, new AccessLogConfig.Off());
    }

    /** The same, over TLS unless that is null. */
    public ListenerConfig tls(@Nullable TlsConfig other) {
        return new ListenerConfig(address, other, limits, accessLog);
    }

    public ListenerConfig limits(LimitsConfig other) {
        return new ListenerConfig(address, tls, other, accessLog);
    }

    public ListenerConfig accessLog(AccessLogConfig other) {
        return new ListenerConfig(address, tls, limits, other);
    }
}
