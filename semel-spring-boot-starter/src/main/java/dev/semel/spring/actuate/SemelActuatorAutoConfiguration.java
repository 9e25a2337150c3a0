package dev.semel.spring.actuate;

import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.spring.Operations;
import dev.semel.spring.RouteTable;
import dev.semel.spring.SemelAutoConfiguration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The endpoint {@code idempotency}, where it is exposed. */
@AutoConfiguration(after = SemelAutoConfiguration.class, afterName = "dev.semel.spring.SemelServletAutoConfiguration")
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean({SemelEngine.class, Store.class, Operations.class})
@ConditionalOnAvailableEndpoint(IdempotencyEndpoint.class)
public final class SemelActuatorAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    IdempotencyEndpoint semelIdempotencyEndpoint(
            SemelEngine semel, Store store, Operations operations, ObjectProvider<RouteTable> routes) {
        return new IdempotencyEndpoint(semel, new Records(semel, store, operations), () -> {
            RouteTable table = routes.getIfAvailable();
            return table == null ? List.of() : table.routes();
        });
    }
}
