package dev.semel.http;

import java.time.Duration;

/** An RFC 9457 problem, as {@code application/problem+json}. The same problem always has the same bytes. */
public record Problem(ProblemCode code, int status, String detail) {

    public static final String MEDIA_TYPE = "application/problem+json";

    public static Problem of(ProblemCode code, String detail) {
        return new Problem(code, code.status(), detail);
    }

    public Answer toAnswer() {
        return toAnswer(code.retryable());
    }

    /** The answer where it is recorded: not retryable whatever its code, since the same key gets it again. */
    Answer toFinalAnswer() {
        return toAnswer(false);
    }

    private Answer toAnswer(boolean retryable) {
        String json = "{\"type\":" + JsonText.quoted(code.type())
                + ",\"title\":" + JsonText.quoted(code.title())
                + ",\"status\":" + status
                + ",\"detail\":" + JsonText.quoted(detail)
                + ",\"code\":" + JsonText.quoted(code.code())
                + ",\"retryable\":" + retryable + "}";
        return new Answer(
                status, Headers.of("Content-Type", MEDIA_TYPE).with("Cache-Control", "no-store"), Body.ofText(json));
    }

    /** The answer, with {@code Retry-After}. */
    public Answer toAnswer(Duration retryAfter) {
        return toAnswer().with("Retry-After", seconds(retryAfter));
    }

    /** Whole seconds, rounded up, at least one: a client that retries at once gains nothing. */
    static String seconds(Duration retryAfter) {
        return String.valueOf(Math.max(1, retryAfter.plusMillis(999).toSeconds()));
    }
}
