package dev.semel.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.RecordedFailureException;
import dev.semel.Response;
import dev.semel.Scope;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.cache.CaffeineNearCache;
import dev.semel.engine.EncryptionKeys;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Body;
import dev.semel.http.Decision;
import dev.semel.http.Gate;
import dev.semel.http.HandlerResult;
import dev.semel.http.Headers;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeResult;
import dev.semel.reconcile.Verdict;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("tracing")
class SemelTracingTest extends Fixture {

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetry openTelemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    private final Tracer application = openTelemetry.getTracer("application");
    private final SemelEngine semel = on().build();

    private SemelEngine.Builder on() {
        return SemelEngine.on(store).timer(time).tracer(new SemelTracing(openTelemetry));
    }

    /** Runs a task within its own trace. */
    private <T> T inTrace(String name, Supplier<T> action) {
        Span span = application.spanBuilder(name).setNoParent().startSpan();
        try (var scope = span.makeCurrent()) {
            return action.get();
        } finally {
            span.end();
        }
    }

    private SpanData span(String name) {
        List<SpanData> found = spans(name);
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }

    private List<SpanData> spans(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private static String outcome(SpanData span) {
        return span.getAttributes().get(SemelTracing.OUTCOME);
    }

    /** The replay in trace B links to the execution span in trace A. */
    private void assertReplayLinksToExecution() {
        SpanData execute = span(SemelTracing.EXECUTE);
        SpanData replay = span(SemelTracing.REPLAY);
        assertThat(execute.getTraceId()).isEqualTo(span("A").getTraceId());
        assertThat(replay.getTraceId())
                .isEqualTo(span("B").getTraceId())
                .isNotEqualTo(span("A").getTraceId());
        assertThat(replay.getParentSpanId()).isEqualTo(span("B").getSpanId());
        assertThat(replay.getLinks())
                .hasSize(1)
                .first()
                .extracting(LinkData::getSpanContext)
                .satisfies(link -> {
                    assertThat(link.getTraceId()).isEqualTo(execute.getTraceId());
                    assertThat(link.getSpanId()).isEqualTo(execute.getSpanId());
                    assertThat(link.getTraceFlags())
                            .isEqualTo(execute.getSpanContext().getTraceFlags());
                });
    }

    @Test
    @DisplayName("a replay in trace B links to the execution in trace A")
    void replay_links_to_execution() {
        inTrace("A", () -> execute(semel, "a"));
        assertThat(inTrace("B", () -> execute(semel, "a"))).isInstanceOf(Execution.Replayed.class);
        assertReplayLinksToExecution();
        assertThat(spans(SemelTracing.CLAIM))
                .extracting(SemelTracingTest::outcome)
                .containsExactly("granted", "replayed");
    }

    @Test
    void a_replay_from_memory_has_the_link_and_the_attribute_near() {
        SemelEngine near = on().nearCache(CaffeineNearCache.builder().build()).build();
        inTrace("A", () -> execute(near, "a"));
        inTrace("B", () -> execute(near, "a"));
        assertReplayLinksToExecution();
        assertThat(span(SemelTracing.REPLAY).getAttributes().get(SemelTracing.NEAR))
                .isTrue();
    }

    @Test
    void a_replay_of_an_encrypted_response_has_the_link() {
        SemelEngine encrypting =
                on().encryption(EncryptionKeys.current("k", new byte[32])).build();
        inTrace("A", () -> execute(encrypting, "a"));
        inTrace("B", () -> execute(encrypting, "a"));
        assertReplayLinksToExecution();
    }

    @Test
    void a_replay_of_a_recorded_failure_has_the_link() {
        for (String trace : List.of("A", "B")) {
            assertThatThrownBy(() -> inTrace(
                            trace,
                            () -> semel.execute(intent("a"), Codec.text(), attempt -> {
                                throw new IllegalStateException("declined");
                            })))
                    .isInstanceOf(trace.equals("A") ? IllegalStateException.class : RecordedFailureException.class);
        }
        assertReplayLinksToExecution();
        assertThat(outcome(span(SemelTracing.EXECUTE))).isEqualTo("failed");
        assertThat(span(SemelTracing.EXECUTE).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    }

    @Test
    void asynchronous_executions_belong_to_the_trace_of_the_caller() {
        CompletableFuture<String> bank = new CompletableFuture<>();
        inTrace("A", () -> semel.executeAsync(intent("a"), Codec.text(), attempt -> bank));
        assertThat(spans(SemelTracing.EXECUTE)).isEmpty();
        var elsewhere = Executors.newSingleThreadExecutor();
        CompletableFuture.runAsync(() -> bank.complete("charged"), elsewhere).join();
        elsewhere.shutdown();
        inTrace("B", () -> semel.executeAsync(intent("a"), Codec.text(), attempt -> bank));
        assertReplayLinksToExecution();
    }

    @Test
    void replays_over_http_have_the_link() {
        RoutePolicy policy = RoutePolicy.of(Operation.named("charge")).build();
        Gate gate = Gate.on(
                        semel,
                        Routes.builder().protect("POST", "/charges", policy).build(),
                        request -> new ScopeResult.Found(Scope.of("acme")))
                .build();
        RequestView request = RequestView.of("POST", "/charges")
                .headers(Headers.of("Idempotency-Key", "k-1"))
                .build();
        inTrace("A", () -> {
            Decision.Proceed proceed = (Decision.Proceed) gate.claim(policy, request);
            RunningAttempt.Entered entered = proceed.run().enter();
            application.spanBuilder("handler").startSpan().end();
            entered.leave();
            return proceed.run().settle(new HandlerResult.Responded(201, Headers.NONE, Body.EMPTY, null));
        });
        assertThat(inTrace("B", () -> gate.claim(policy, request))).isInstanceOf(Decision.Reply.class);
        assertReplayLinksToExecution();
        assertThat(span("handler").getParentSpanId())
                .isEqualTo(span(SemelTracing.EXECUTE).getSpanId());
    }

    @Test
    void spans_of_the_work_are_children_of_the_execution() {
        inTrace(
                "A",
                () -> semel.execute(intent("a"), Codec.text(), attempt -> {
                    application.spanBuilder("bank").startSpan().end();
                    return "charged";
                }));
        assertThat(span("bank").getParentSpanId())
                .isEqualTo(span(SemelTracing.EXECUTE).getSpanId());
        assertThat(span(SemelTracing.EXECUTE).getParentSpanId())
                .isEqualTo(span("A").getSpanId());
        assertThat(span(SemelTracing.CLAIM).getParentSpanId())
                .isEqualTo(span("A").getSpanId());
        assertThat(Context.current()).isSameAs(Context.root());
    }

    @Test
    void spans_contain_operation_outcome_and_fence_but_no_key_and_no_scope() {
        execute(semel, "secret-key");
        semel.begin(intent(CHARGE, "acme", "secret-key", "200 EUR"));
        RunningAttempt running = ((Claim.Granted) semel.begin(intent("b"))).attempt();
        semel.begin(intent("b"));
        running.settle(new Outcome.Unknown("timeout"));
        semel.begin(intent("b"));
        store.failNext(Verb.CLAIM, Fault.REFUSED);
        assertThatThrownBy(() -> semel.begin(intent("c"))).isInstanceOf(StoreException.class);
        assertThat(spans(SemelTracing.CLAIM))
                .extracting(SemelTracingTest::outcome)
                .containsExactly("granted", "mismatch", "granted", "in_progress", "unknown", "failed");
        assertThat(spans(SemelTracing.EXECUTE))
                .extracting(SemelTracingTest::outcome)
                .containsExactly("completed", "unknown");
        assertThat(exporter.getFinishedSpanItems()).allSatisfy(span -> {
            assertThat(span.getAttributes().get(SemelTracing.OPERATION)).isEqualTo("charge");
            assertThat(span.getAttributes().get(SemelTracing.KEY_HASH)).startsWith("key#");
            assertThat(span.toString()).doesNotContain("secret").doesNotContain("acme");
        });
        assertThat(spans(SemelTracing.EXECUTE))
                .extracting(span -> span.getAttributes().get(SemelTracing.FENCE))
                .doesNotContainNull();
    }

    @Test
    void untraced_records_and_records_settled_on_evidence_have_no_link() {
        execute(SemelEngine.on(store).timer(time).build(), "a");
        execute(semel, "a");
        assertThat(span(SemelTracing.REPLAY).getLinks()).isEmpty();
        exporter.reset();
        becomeUnknown(semel, "b");
        Verdict.Final happened =
                new Verdict.Happened(Response.of("charged".getBytes(StandardCharsets.UTF_8)), "statement");
        semel.settle(CHARGE, Identity.of("acme", "b"), happened, "person:alice");
        execute(semel, "b");
        assertThat(span(SemelTracing.REPLAY).getLinks()).isEmpty();
    }

    @Test
    void without_an_sdk_no_origin_is_stored() {
        SemelEngine idle = SemelEngine.on(store)
                .timer(time)
                .tracer(new SemelTracing(OpenTelemetry.noop()))
                .build();
        execute(idle, "a");
        assertThat(memory.find(Identity.of("acme", "a")).toCompletableFuture().join())
                .hasValueSatisfying(
                        record -> assertThat(record.response().bytes()).startsWith(1, 0));
    }

    @Test
    void an_invalid_origin_is_no_link() {
        SpanContext executed = SpanContext.create(
                "0af7651916cd43dd8448eb211c80319c",
                "b7ad6b7169203331",
                TraceFlags.getSampled(),
                TraceState.getDefault());
        String origin = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assertThat(Origin.of(executed)).isEqualTo(origin);
        assertThat(Origin.read(origin).getSpanId()).isEqualTo(executed.getSpanId());
        assertThat(Origin.read("01" + origin.substring(2) + "-more").isValid()).isTrue();
        assertThat(Origin.of(SpanContext.getInvalid())).isEmpty();
        for (String bad : List.of("", "hello", origin.replace('a', 'z'), origin.replaceAll("[0-9a-f]", "0"))) {
            assertThat(Origin.read(bad).isValid()).as(bad).isFalse();
        }
    }
}
