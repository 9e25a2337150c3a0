package dev.semel.spring.actuate;

import dev.semel.engine.Store;
import dev.semel.spring.Operations;
import dev.semel.spring.SemelAutoConfiguration;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the store, as the component {@code semel}, unless {@code management.health.semel.enabled} is false. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({Store.class, Operations.class})
@ConditionalOnEnabledHealthIndicator("semel")
public final class SemelHealthAutoConfiguration {

    /** Longer than a healthy store takes; short enough for a load balancer, which gives up after a few seconds. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    @Bean
    @ConditionalOnMissingBean(name = "semelHealthIndicator")
    StoreHealth semelHealthIndicator(Store store) {
        return new StoreHealth(store, LONGEST_WAIT);
    }
}
