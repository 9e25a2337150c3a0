package dev.semel.server.gateway;

import dev.semel.server.gateway.config.RouteConfig;

/** A route with the connections to its service. */
record Route(RouteConfig config, Upstream upstream) {}
