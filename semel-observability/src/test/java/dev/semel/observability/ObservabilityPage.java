package dev.semel.observability;

import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;

/** The code of docs/reference/observability.md, so that it compiles; {@link PageTest} compares, and runs it. */
final class ObservabilityPage {

    /** Receives alarms. */
    interface Security {
        void report(String what);
    }

    private ObservabilityPage() {}

    static SemelEngine metrics(Store store, MeterRegistry registry) {
        SemelMetrics metrics = new SemelMetrics(registry);
        SemelEngine semel = SemelEngine.on(store).listener(metrics).build();
        new UnknownGauges(semel.unknownOutcomes(), Duration.ofSeconds(30)).bindTo(registry);
        return semel;
    }

    static void percentiles(MeterRegistry registry) {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().startsWith("api.idempotency.")
                        ? DistributionStatisticConfig.builder()
                                .percentilesHistogram(true)
                                .build()
                                .merge(config)
                        : config;
            }
        });
    }

    static SemelEngine tracing(Store store, OpenTelemetry openTelemetry) {
        SemelEngine semel =
                SemelEngine.on(store).tracer(new SemelTracing(openTelemetry)).build();
        return semel;
    }

    static SemelEngine misuse(Store store, Security security) {
        KeyMisuseAlarm alarm = KeyMisuseAlarm.above(20)
                .within(Duration.ofMinutes(5))
                .calling(misuse -> security.report(
                        misuse.count() + " misused keys of " + misuse.operation() + " by " + misuse.scope()));
        SemelEngine semel = SemelEngine.on(store).listener(alarm).build();
        return semel;
    }
}
