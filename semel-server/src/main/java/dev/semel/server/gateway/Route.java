package dev.semel.server.gateway;

import dev.semel.Attempt;
import dev.semel.server.gateway.config.RouteConfig;
import org.jspecify.annotations.Nullable;

/**
 * A route with the connections to its service.
 *
 * @param names what is recorded of a request before it is sent; null for nothing
 */
record Route(
        RouteConfig config, Upstream upstream, @Nullable Names names) {

    /** The names by which the outcome of a request can be found later. */
    @FunctionalInterface
    interface Names {

        /**
         * Records them. Blocks while the store is asked.
         *
         * @throws RuntimeException when they could not be recorded; the request must not be sent
         */
        void record(Attempt attempt, byte[] body);
    }
}
