package dev.semel.server.gateway;

import dev.semel.Intent.ReplayCheck;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.Gate;
import dev.semel.http.GateBuilder;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.SafeMethods;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.ReplayCheckConfig;
import dev.semel.server.gateway.config.ResolverConfig;
import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.settle.ProviderEvents;
import dev.semel.server.gateway.settle.References;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes the routes of a configuration: their gate on an engine, and the connections to their services. */
final class RoutingPlan implements Function<Upstreams, Routing> {

    private final SemelEngine semel;
    private final GatewayConfig config;
    private final ScopeStrategy standard;
    private final @Nullable ReplayCheck replayCheck;
    private final Map<String, ScopeStrategy> scopes = new HashMap<>();

    /** @throws IllegalArgumentException when a scope or a check cannot be made, such as one from tokens without keys */
    RoutingPlan(SemelEngine semel, GatewayConfig config, Scopes scopes) {
        this.semel = semel;
        this.config = config;
        this.standard = scopes.of(config.scope());
        this.replayCheck = checkOf(config.replayCheck(), scopes);
        for (RouteConfig route : config.routes()) {
            if (route.scope() != null) {
                this.scopes.put(route.name(), scopes.of(route.scope()));
            }
        }
    }

    private static @Nullable ReplayCheck checkOf(ReplayCheckConfig config, Scopes scopes) {
        if (config instanceof ReplayCheckConfig.Service service) {
            return new ServiceReplayCheck(service);
        }
        return config instanceof ReplayCheckConfig.Claim claim ? scopes.holding(claim) : null;
    }

    @Override
    public Routing apply(Upstreams upstreams) {
        Routes.Builder policies = Routes.builder();
        for (RouteConfig route : config.routes()) {
            RoutePolicy policy = route.policy();
            if (policy != null) {
                policies.protect(unsafe(route.methods()), route.path().toString(), policy);
            }
        }
        GateBuilder settings = Gate.on(semel, policies.build(), scopeOfRoute())
                .keyHeader(config.keyHeader())
                .statusPath(config.statusPath())
                .replayCheck(replayCheck)
                .answerHeaders(config.answers().headers())
                .sendsTrailers();
        if (config.answers().policyPath() != null) {
            settings.policyPath(config.answers().policyPath());
        }
        Gate gate = settings.build();
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

    /** The methods of a route that are protected, as they are published; the gateway matches requests itself. */
    private static String unsafe(Set<String> methods) {
        String unsafe = methods.stream()
                .filter(method -> !SafeMethods.contains(method))
                .sorted()
                .collect(Collectors.joining(","));
        return unsafe.isEmpty() ? "*" : unsafe;
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
