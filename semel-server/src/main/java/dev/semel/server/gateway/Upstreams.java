package dev.semel.server.gateway;

import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.config.UpstreamAddress;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The services that routes name, each with its connections; they outlive the configuration that named them first. */
final class Upstreams {

    private record Key(UpstreamAddress address, Duration connectTimeout, Duration reuse) {}

    private final Vertx vertx;
    private final Map<Key, Upstream> open = new ConcurrentHashMap<>();

    Upstreams(Vertx vertx) {
        this.vertx = vertx;
    }

    Upstream at(UpstreamAddress address, RouteConfig.Timeouts timeouts) {
        return open.computeIfAbsent(
                new Key(address, timeouts.connect(), timeouts.reuse()),
                key -> Upstream.open(vertx, address, timeouts.connect(), timeouts.reuse()));
    }
}
