package dev.semel.observability;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where an execution is to be found, as kept with its response: a {@code traceparent} of the W3C. */
final class Origin {

    /** Later versions of that format begin in the same way, and then say more. */
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

    private Origin() {}

    /** Nothing where nobody collects spans. */
    static String of(SpanContext span) {
        return span.isValid()
                ? "00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                        + span.getTraceFlags().asHex()
                : "";
    }

    /** Invalid where there is none, or none that can be read. */
    static SpanContext read(String origin) {
        Matcher parts = TRACEPARENT.matcher(origin);
        return parts.matches()
                ? SpanContext.createFromRemoteParent(
                        parts.group(1), parts.group(2), TraceFlags.fromHex(parts.group(3), 0), TraceState.getDefault())
                : SpanContext.getInvalid();
    }
}
