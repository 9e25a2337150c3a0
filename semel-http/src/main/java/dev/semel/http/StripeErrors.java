package dev.semel.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** Problems in the form of Stripe's errors. */
final class StripeErrors implements ProblemRenderer {

    /** Stripe's name for a key whose request is still running. */
    private static final String KEY_IN_USE = "idempotency_key_in_use";

    @Override
    public Rendered render(Problem problem, RequestView request) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("type", typeOf(problem));
        error.put(
                "code",
                problem.code() == ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS
                        ? KEY_IN_USE
                        : problem.code().code());
        error.put("message", problem.detail());
        return Rendered.json(JsonText.of(Map.of("error", error)));
    }

    private static String typeOf(Problem problem) {
        return switch (problem.code()) {
            case IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD,
                    IDEMPOTENCY_KEY_IN_PROGRESS,
                    IDEMPOTENCY_OUTCOME_UNKNOWN,
                    IDEMPOTENCY_RESPONSE_NOT_RETAINED,
                    IDEMPOTENCY_KEY_EXPIRED -> "idempotency_error";
            default -> problem.status() < 500 ? "invalid_request_error" : "api_error";
        };
    }
}
