package dev.semel.spring.actuate;

import dev.semel.engine.Store;
import dev.semel.spring.Operations;
import dev.semel.spring.SemelAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the store, as the component {@code semel}, unless {@code management.health.semel.enabled} is false. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({Store.class, Operations.class})
@ConditionalOnEnabledHealthIndicator("semel")
public final class SemelHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "semelHealthIndicator")
    StoreHealth semelHealthIndicator(Store store) {
        return new StoreHealth(new StoreCheck(store));
    }

    /** The check's result as Spring Boot's health. */
    private record StoreHealth(StoreCheck check) implements HealthIndicator, AutoCloseable {

        @Override
        public Health health() {
            StoreCheck.Result result = check.result();
            return (result.isUp() ? Health.up() : Health.down())
                    .withDetails(result.details())
                    .build();
        }

        @Override
        public void close() {
            check.close();
        }
    }
}
