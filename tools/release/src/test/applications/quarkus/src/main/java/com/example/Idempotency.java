package com.example;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.jaxrs.SemelFeature;
import dev.semel.memory.MemoryStore;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.Provider;

/** Makes orders safe to retry. */
@Provider
@Singleton
public class Idempotency implements Feature {

    private final SemelEngine semel = SemelEngine.on(new MemoryStore()).build();

    @Override
    public boolean configure(FeatureContext context) {
        Routes routes = Routes.builder()
                .protect("POST", "/orders", RoutePolicy.of(Operation.named("order")).build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Account")).build();
        return new SemelFeature(gate).configure(context);
    }

    @PreDestroy
    void close() {
        semel.close();
    }
}
