package dev.semel.examples.quarkus;

import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.jaxrs.SemelFeature;
import dev.semel.jdbc.Stores;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.Provider;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Makes every request that changes a payment safe to retry. */
@Provider
@Singleton
public class Idempotency implements Feature {

    private final SemelEngine semel;

    Idempotency(@ConfigProperty(name = "semel.store", defaultValue = "sqlite:semel.db") String store) {
        semel = SemelEngine.on(Stores.open(store)).build();
    }

    @Override
    public boolean configure(FeatureContext context) {
        RoutePolicy payments = RoutePolicy.of(Operation.named("create-payment").retention(Retention.PAYMENT))
                .build();
        Routes routes =
                Routes.builder().protect("POST", "/payments/**", payments).build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Tenant")).build();
        return new SemelFeature(gate).configure(context);
    }

    @PreDestroy
    void close() {
        semel.close();
    }
}
