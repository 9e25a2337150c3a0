package dev.semel.server.gateway;

import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.ResolverConfig;
import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.settle.ProviderEvents;
import dev.semel.server.gateway.settle.References;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
        List<Route> routes = new ArrayList<>();
        Map<String, WebhookEndpoint> webhooks = new HashMap<>();
        for (RouteConfig each : config.routes()) {
            ProviderEvents events = eventsOf(each);
            Route route =
                    new Route(each, upstreams.at(each.upstream(), each.timeouts()), namesOf(each.resolver(), events));
            routes.add(route);
            if (events != null && each.webhook() != null) {
                webhooks.put(each.webhook().path(), new WebhookEndpoint(route, events));
            }
        }
        return new ConfiguredRouting(gate, routes, webhooks, config.trustedProxies(), config.keyHeader());
    }

    private @Nullable ProviderEvents eventsOf(RouteConfig route) {
        RoutePolicy policy = route.policy();
        return policy == null || route.webhook() == null
                ? null
                : new ProviderEvents(semel, policy.operation(), route.webhook());
    }

    /** What look-ups and events need to find a request again; null for nothing. */
    private static Route.@Nullable Names namesOf(@Nullable ResolverConfig resolver, @Nullable ProviderEvents events) {
        Pointer reference = resolver == null ? null : resolver.reference();
        if (reference == null) {
            return events == null || !events.namesRequests() ? null : events::record;
        }
        return (attempt, body) -> {
            References.record(attempt, reference, body);
            if (events != null) {
                events.record(attempt, body);
            }
        };
    }

    private ScopeStrategy scopeOfRoute() {
        return input -> {
            String route = input.route();
            ScopeStrategy own = route == null ? null : scopes.get(route);
            return (own == null ? standard : own).resolve(input);
        };
    }
}
