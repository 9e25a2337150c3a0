package dev.semel.spring;

import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.observability.SemelMetrics;
import dev.semel.observability.SemelTracing;
import dev.semel.observability.UnknownGauges;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters and spans, in an application that has a registry or a tracer for them. */
@AutoConfiguration(
        after = SemelAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration",
            // Of Spring Boot 3.
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.opentelemetry.OpenTelemetryAutoConfiguration",
        })
@ConditionalOnBean({SemelEngine.class, Operations.class})
public final class SemelObservabilityAutoConfiguration {

    /** A dead letter waits for a person, who needs more than seconds. */
    private static final Duration COUNT_UNKNOWN_EVERY = Duration.ofSeconds(30);

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(MeterRegistry.class)
        SemelMetrics semelMetrics(MeterRegistry registry) {
            return new SemelMetrics(registry);
        }

        @Bean
        @ConditionalOnSingleCandidate(MeterRegistry.class)
        @ConditionalOnBean(Store.class)
        MeterBinder semelUnknownGauges(SemelEngine semel) {
            return new UnknownGauges(semel.unknownOutcomes(), COUNT_UNKNOWN_EVERY);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(OpenTelemetry.class)
    static class Traces {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(OpenTelemetry.class)
        SemelTracing semelTracing(OpenTelemetry openTelemetry) {
            return new SemelTracing(openTelemetry);
        }
    }
}
