package dev.semel.observability;

import dev.semel.Identity;
import dev.semel.Refusal;
import dev.semel.State;
import dev.semel.engine.Tracer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Locale;

/**
 * A tracer that turns an engine's claims, executions and replays into OpenTelemetry spans.
 *
 * <ol>
 *   <li>{@code idempotency.claim} covers every claim, from the request to the decision.
 *   <li>{@code idempotency.execute} covers the work. It is current while the work runs, so that spans of the work become its
 *       children; asynchronous work has to propagate it.
 *   <li>{@code idempotency.replay} marks a replay of a recorded response, and links to the {@code idempotency.execute} span
 *       that produced it, also in another process and trace.
 * </ol>
 *
 * <p>All of them are children of the span that was current when the claim was made. Their attributes are the operation, the
 * outcome, the fence, and the hash prefix of the key that logs also show; the scope and the response are not among them.
 *
 * <pre>{@code
 * Semel semel = SemelEngine.on(store).tracer(new SemelTracing(openTelemetry)).build();
 * }</pre>
 */
public final class SemelTracing implements Tracer {

    public static final String CLAIM = "idempotency.claim";
    public static final String EXECUTE = "idempotency.execute";
    public static final String REPLAY = "idempotency.replay";

    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("idempotency.operation");
    static final AttributeKey<String> KEY_HASH = AttributeKey.stringKey("idempotency.key_hash");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("idempotency.outcome");
    static final AttributeKey<Long> FENCE = AttributeKey.longKey("idempotency.fence");
    static final AttributeKey<Boolean> NEAR = AttributeKey.booleanKey("idempotency.near");

    private final io.opentelemetry.api.trace.Tracer spans;

    public SemelTracing(OpenTelemetry openTelemetry) {
        this.spans = openTelemetry.getTracer("dev.semel");
    }

    @Override
    public OfClaim claim(String operation, Identity identity) {
        return new TracedClaim(Context.current(), operation, identity);
    }

    private final class TracedClaim implements OfClaim {

        private final Context caller;
        private final String operation;
        private final Identity identity;
        private final Span span;

        TracedClaim(Context caller, String operation, Identity identity) {
            this.caller = caller;
            this.operation = operation;
            this.identity = identity;
            this.span = started(builder(CLAIM));
        }

        private SpanBuilder builder(String name) {
            return spans.spanBuilder(name).setParent(caller).setAttribute(OPERATION, operation);
        }

        private Span started(SpanBuilder builder) {
            Span started = builder.startSpan();
            // The hash costs time, and most spans of a busy service are not recorded.
            return started.isRecording()
                    ? started.setAttribute(KEY_HASH, identity.key().redacted())
                    : started;
        }

        @Override
        public OfExecution granted(long fence) {
            span.setAttribute(OUTCOME, "granted").setAttribute(FENCE, fence).end();
            return new TracedExecution(caller, started(builder(EXECUTE).setAttribute(FENCE, fence)));
        }

        @Override
        public void replayed(boolean near, String origin) {
            span.setAttribute(OUTCOME, "replayed").setAttribute(NEAR, near).end();
            SpanBuilder replay =
                    builder(REPLAY).setAttribute(OUTCOME, "replayed").setAttribute(NEAR, near);
            SpanContext executed = Origin.read(origin);
            if (executed.isValid()) {
                replay.addLink(executed);
            }
            started(replay).end();
        }

        @Override
        public void refused(Refusal refusal) {
            if (refusal instanceof Refusal.OutcomeUnknown unknown) {
                span.setAttribute(OUTCOME, "unknown").setAttribute(FENCE, unknown.fence());
            } else {
                span.setAttribute(OUTCOME, outcomeOf(refusal));
            }
            span.end();
        }

        private static String outcomeOf(Refusal refusal) {
            if (refusal instanceof Refusal.KeyExpired) {
                return "key_expired";
            }
            if (refusal instanceof Refusal.KeyFromFuture) {
                return "key_from_future";
            }
            return refusal instanceof Refusal.Mismatch ? "mismatch" : "in_progress";
        }

        @Override
        public void failed(Throwable failure) {
            span.setAttribute(OUTCOME, "failed").setStatus(StatusCode.ERROR).recordException(failure);
            span.end();
        }
    }

    private record TracedExecution(Context caller, Span span) implements OfExecution {

        @Override
        public String origin() {
            return Origin.of(span.getSpanContext());
        }

        /** The caller closes it. */
        @Override
        @SuppressWarnings("MustBeClosedChecker")
        public Current makeCurrent() {
            Scope scope = caller.with(span).makeCurrent();
            return scope::close;
        }

        /** A second call, for a late answer, has no effect: the span has ended. */
        @Override
        public void ended(State to, boolean failure) {
            span.setAttribute(OUTCOME, failure ? "failed" : to.name().toLowerCase(Locale.ROOT));
            if (failure || to == State.UNKNOWN) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
        }
    }
}
