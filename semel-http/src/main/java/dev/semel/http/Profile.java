package dev.semel.http;

import dev.semel.http.key.IdempotencyKeyHeader;
import dev.semel.http.key.KeyStrategy;
import dev.semel.http.key.RepeatableRequestKey;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dialect that a route speaks with its clients: where the key is, and how answers say what became of it. The decisions are
 * the same in all of them.
 */
public enum Profile {
    /** The IETF draft of the {@code Idempotency-Key} header, with problems of RFC 9457. */
    STANDARD,

    /**
     * What Stripe's client libraries expect: bare keys, errors as {@code {"error": {"type": "idempotency_error", …}}}, 400 for a
     * key that was used for another request, and replays marked {@code Idempotent-Replayed: true}.
     */
    STRIPE,

    /**
     * OASIS Repeatable Requests 1.0: the key in {@code Repeatability-Request-ID}, with {@code Repeatability-First-Sent}, and
     * {@code Repeatability-Result} in every answer.
     */
    OASIS;

    /** Marks a replay for Stripe's clients. */
    static final String IDEMPOTENT_REPLAYED = "Idempotent-Replayed";

    /** Tells Stripe's clients whether to retry, whatever they would conclude from the status. */
    static final String SHOULD_RETRY = "Stripe-Should-Retry";

    /** Says whether a repeatable request was accepted; it was not executed if it was rejected. */
    public static final String REPEATABILITY_RESULT = "Repeatability-Result";

    /** Refusals of requests that run, have run, or may have. */
    private static final Set<ProblemCode> ACCEPTED = EnumSet.of(
            ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS,
            ProblemCode.IDEMPOTENCY_OUTCOME_UNKNOWN,
            ProblemCode.IDEMPOTENCY_RESPONSE_NOT_RETAINED,
            ProblemCode.REQUEST_FAILED);

    /** The strategy that finds the key, given the header and the syntax that the gate has for it. */
    KeyStrategy key(String headerName, boolean strict) {
        return switch (this) {
            case STANDARD ->
                strict ? IdempotencyKeyHeader.strict(headerName) : IdempotencyKeyHeader.lenient(headerName);
            case STRIPE -> IdempotencyKeyHeader.bare(headerName);
            case OASIS -> new RepeatableRequestKey();
        };
    }

    /** The header that holds the key, given the one that the gate has for it. */
    public String headerName(String ofGate) {
        return this == OASIS ? RepeatableRequestKey.REQUEST_ID : ofGate;
    }

    /** The syntax of keys, in the words of the published policy. */
    String syntax(boolean strict) {
        if (this != STANDARD) {
            return "bare text";
        }
        return strict ? "a quoted string (RFC 9651)" : "a quoted string (RFC 9651) or bare text";
    }

    /** The status for a key that was used for another request, where the route does not say. */
    int mismatchStatus() {
        return this == STANDARD ? ProblemCode.IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD.status() : 400;
    }

    /** The header that replays are marked with. */
    public String replayed() {
        return this == STRIPE ? IDEMPOTENT_REPLAYED : Answer.REPLAYED;
    }

    /** The header in which answers repeat the key; null where the profile has none. */
    @Nullable
    String echo(String headerName) {
        return this == OASIS ? null : headerName;
    }

    ProblemRenderer renderer(ProblemRenderer ofApplication) {
        return this == STRIPE && ofApplication == ProblemRenderer.STANDARD ? new StripeErrors() : ofApplication;
    }

    /** What an answer says beyond its problem. */
    Headers about(Problem problem) {
        return switch (this) {
            case STANDARD -> Headers.NONE;
            case STRIPE -> Headers.of(SHOULD_RETRY, String.valueOf(problem.retryable()));
            case OASIS -> result(ACCEPTED.contains(problem.code()));
        };
    }

    /** What the answer of a handler says, or its replay. */
    Headers about(boolean executed) {
        return this == OASIS ? result(executed) : Headers.NONE;
    }

    private static Headers result(boolean accepted) {
        return Headers.of(REPEATABILITY_RESULT, accepted ? "accepted" : "rejected");
    }
}
