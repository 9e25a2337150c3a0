package dev.semel.server.gateway;

import dev.semel.engine.SemelEngine;
import dev.semel.http.RoutePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.ResolverConfig;
import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.settle.HttpResolver;

/** The reconciler of a configuration, which asks the resolvers of its routes. */
final class Resolvers {

    private Resolvers() {}

    /**
     * Makes the reconciler; it is not started.
     *
     * @throws IllegalArgumentException when a resolver would give up before "it did not happen" counts
     */
    static Reconciler reconciler(SemelEngine semel, GatewayConfig config) {
        Reconciler.Builder reconciler =
                Reconciler.of(semel.unknownOutcomes()).every(config.settling().every());
        for (RouteConfig route : config.routes()) {
            RoutePolicy policy = route.policy();
            ResolverConfig resolver = route.resolver();
            if (policy != null && resolver != null) {
                reconciler.resolve(policy.operation(), new HttpResolver(resolver), resolver.policy());
            }
        }
        return reconciler.build();
    }
}
