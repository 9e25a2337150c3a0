package dev.semel.examples.policies;

import dev.semel.http.key.KeyStrategy;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@code key: bean:oncePerDay}: the same request is one intent until midnight (UTC), and another one the day after. */
@Configuration(proxyBeanMethods = false)
class TimeWindowKey {

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    KeyStrategy oncePerDay(InstantSource clock) {
        return KeyStrategy.timeWindow(Duration.ofDays(1), clock, KeyStrategy.contentHash());
    }
}
