package dev.semel.observability;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The span of an execution, stored with its response as a W3C {@code traceparent}. */
final class Origin {

    /** Later versions of the format start in the same way, and may add fields. */
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

    private Origin() {}

    /** Returns an empty text where no spans are collected. */
    static String of(SpanContext span) {
        return span.isValid()
                ? "00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                        + span.getTraceFlags().asHex()
                : "";
    }

    /** Returns an invalid context where there is no origin, or none that can be parsed. */
    static SpanContext read(String origin) {
        Matcher parts = TRACEPARENT.matcher(origin);
        return parts.matches()
                ? SpanContext.createFromRemoteParent(
                        parts.group(1), parts.group(2), TraceFlags.fromHex(parts.group(3), 0), TraceState.getDefault())
                : SpanContext.getInvalid();
    }
}
