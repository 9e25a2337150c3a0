package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.OutcomeUnknownException;
import dev.semel.RefusedException;
import dev.semel.engine.SemelEngine;
import dev.semel.observability.Counters;
import dev.semel.observability.KeyMisuse;
import dev.semel.observability.KeyMisuseAlarm;
import dev.semel.observability.SemelMetrics;
import dev.semel.observability.SemelTracing;
import dev.semel.observability.UnknownGauges;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("An application with a registry for meters and a tracer")
class ObservabilityTest {

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final List<KeyMisuse> misuses = new CopyOnWriteArrayList<>();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SemelAutoConfiguration.class,
                    SemelJsonAutoConfiguration.class,
                    SemelMethodAutoConfiguration.class,
                    SemelObservabilityAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:", "semel.reconciler.enabled=false")
            .withBean(Mail.class);

    public static class Mail {

        @Idempotent(operation = "send-mail", key = "#id")
        public String send(String id, String text) {
            if (text.isEmpty()) {
                throw new OutcomeUnknownException("the line went dead");
            }
            return "sent";
        }
    }

    private static double count(MeterRegistry registry, String name) {
        return registry.get(name).tag("operation", "send-mail").counter().count();
    }

    @Test
    void counts_and_times() {
        runner.withBean(SimpleMeterRegistry.class).run(context -> {
            Mail mail = context.getBean(Mail.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            mail.send("m-1", "hello");
            mail.send("m-1", "hello");
            assertThatThrownBy(() -> mail.send("m-1", "bye")).isInstanceOf(RefusedException.class);

            assertThat(count(registry, Counters.CREATED)).isEqualTo(1);
            assertThat(count(registry, Counters.REPLAY)).isEqualTo(1);
            assertThat(count(registry, Counters.KEY_MISUSE)).isEqualTo(1);
            assertThat(registry.get(SemelMetrics.EXECUTION).timer().count()).isEqualTo(1);
        });
    }

    @Test
    void shows_how_many_outcomes_are_unknown() {
        runner.withBean(SimpleMeterRegistry.class).run(context -> {
            assertThatThrownBy(() -> context.getBean(Mail.class).send("m-1", ""))
                    .isInstanceOf(OutcomeUnknownException.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            context.getBean(MeterBinder.class).bindTo(registry);

            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(
                                    registry.get(UnknownGauges.UNKNOWN).gauge().value())
                            .isEqualTo(1));
        });
    }

    @Test
    void links_a_replay_to_the_trace_that_executed() {
        OpenTelemetry telemetry = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .build();
        runner.withBean(OpenTelemetry.class, () -> telemetry).run(context -> {
            Mail mail = context.getBean(Mail.class);
            inTraceOf(telemetry, () -> mail.send("m-1", "hello"));
            inTraceOf(telemetry, () -> mail.send("m-1", "hello"));

            SpanData executed = span(SemelTracing.EXECUTE);
            SpanData replayed = span(SemelTracing.REPLAY);
            assertThat(replayed.getTraceId()).isNotEqualTo(executed.getTraceId());
            assertThat(replayed.getLinks())
                    .singleElement()
                    .satisfies(link ->
                            assertThat(link.getSpanContext().getSpanId()).isEqualTo(executed.getSpanId()));
        });
    }

    private static void inTraceOf(OpenTelemetry telemetry, Runnable call) {
        Span request = telemetry.getTracer("test").spanBuilder("request").startSpan();
        try (Scope current = request.makeCurrent()) {
            call.run();
        } finally {
            request.end();
        }
    }

    private SpanData span(String name) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .reduce((one, other) -> {
                    throw new AssertionError("two spans " + name);
                })
                .orElseThrow();
    }

    @Test
    void calls_the_listener_for_misused_keys() {
        runner.withBean(KeyMisuseAlarm.class, () -> KeyMisuseAlarm.above(1).calling(misuses::add))
                .run(context -> {
                    Mail mail = context.getBean(Mail.class);
                    mail.send("m-1", "hello");
                    for (String other : List.of("one", "two", "three")) {
                        assertThatThrownBy(() -> mail.send("m-1", other)).isInstanceOf(RefusedException.class);
                    }

                    assertThat(misuses).hasSize(1);
                });
    }

    @Test
    void does_without_both() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer", "io.opentelemetry"))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(SemelEngine.class);
                    assertThat(context.getBean(Mail.class).send("m-1", "hello")).isEqualTo("sent");
                });
    }
}
