package dev.semel.http;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * A response that the protocol itself gives, without a handler.
 *
 * @param trailers the fields that follow the body; none unless the transport said that it {@link GateBuilder#sendsTrailers sends
 *     them}
 */
public record Answer(int status, Headers headers, Body body, Headers trailers) {

    /** Marks a response that was recorded before. */
    public static final String REPLAYED = "Idempotency-Replayed";

    /** Says until when the answer is kept for retries, as an HTTP date by the clock of this process. */
    public static final String EXPIRES = "Idempotency-Expires";

    /** Says how long ago a replayed response was recorded, in seconds; {@code Age} would be taken for that of a cache. */
    public static final String AGE = "Idempotency-Age";

    /** Has the value {@code false} on the response of a request that was executed without protection. */
    public static final String PROTECTED = "Idempotency-Protected";

    /** An answer without trailers. */
    public Answer(int status, Headers headers, Body body) {
        this(status, headers, body, Headers.NONE);
    }

    /** Whether a response with this status can have a body. */
    public static boolean canHaveBody(int status) {
        return status >= 200 && status != 204 && status != 304;
    }

    /**
     * Applies status and headers to a response. They replace what outer filters have set, except for {@code Vary}: what a
     * filter varies on still holds, so that values are only added.
     */
    public void applyTo(ResponseHead head) {
        head.setStatus(status);
        Set<String> seen = new HashSet<>();
        for (Headers.Line line : headers) {
            String name = line.name();
            if (name.equalsIgnoreCase("Vary")) {
                if (!head.values(name).contains(line.value())) {
                    head.add(name, line.value());
                }
            } else if (seen.add(name.toLowerCase(Locale.ROOT))) {
                head.set(name, line.value());
            } else {
                head.add(name, line.value());
            }
        }
    }

    Answer with(String name, String value) {
        return new Answer(status, headers.with(name, value), body, trailers);
    }

    Answer replacing(String name, String value) {
        return replacing(Headers.of(name, value));
    }

    /** The same answer with these headers, in place of those that it has by the same names. */
    Answer replacing(Headers others) {
        return others.lines().isEmpty() ? this : new Answer(status, headers.replacedBy(others), body, trailers);
    }

    @Override
    public String toString() {
        return "answer " + status + " of " + body;
    }
}
