package dev.semel.server.gateway;

import dev.semel.engine.SemelListener;
import dev.semel.observability.SemelMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** What a gateway counts, in the text that Prometheus reads. */
final class GatewayMetrics {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final SemelMetrics semel = new SemelMetrics(registry);

    SemelListener listener() {
        return semel;
    }

    String text() {
        return registry.scrape();
    }
}
