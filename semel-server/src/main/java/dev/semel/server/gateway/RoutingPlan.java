package dev.semel.server.gateway;

import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.RouteConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes the routes of a configuration: their gate on an engine, and the connections to their services. */
final class RoutingPlan implements Function<Upstreams, Routing> {

    private final SemelEngine semel;
    private final GatewayConfig config;
    private final ScopeStrategy standard;
    private final Map<String, ScopeStrategy> scopes = new HashMap<>();

    /** @throws IllegalArgumentException when a scope cannot be made, such as one from tokens without keys */
    RoutingPlan(SemelEngine semel, GatewayConfig config, Scopes scopes) {
        this.semel = semel;
        this.config = config;
        this.standard = scopes.of(config.scope());
        for (RouteConfig route : config.routes()) {
            if (route.scope() != null) {
                this.scopes.put(route.name(), scopes.of(route.scope()));
            }
        }
    }

    @Override
    public Routing apply(Upstreams upstreams) {
        Routes.Builder policies = Routes.builder();
        for (RouteConfig route : config.routes()) {
            RoutePolicy policy = route.policy();
            if (policy != null) {
                policies.protect("*", "*", policy);
            }
        }
        Gate gate = Gate.on(semel, policies.build(), scopeOfRoute())
                .keyHeader(config.keyHeader())
                .statusPath(config.statusPath())
                .sendsTrailers()
                .build();
        List<Route> routes = config.routes().stream()
                .map(route -> new Route(route, upstreams.at(route.upstream(), route.timeouts())))
                .toList();
        return new ConfiguredRouting(gate, routes, config.trustedProxies(), config.keyHeader());
    }

    private ScopeStrategy scopeOfRoute() {
        return input -> {
            String route = input.route();
            ScopeStrategy own = route == null ? null : scopes.get(route);
            return (own == null ? standard : own).resolve(input);
        };
    }
}
