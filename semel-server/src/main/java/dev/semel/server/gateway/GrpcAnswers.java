package dev.semel.server.gateway;

import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.server.gateway.config.GrpcStatusRule;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The answers of the protocol as a client of gRPC understands them: 200, and the reason as a status. Names of metadata and
 * statuses are those of {@code semel-grpc}.
 */
final class GrpcAnswers {

    private static final int UNKNOWN = 2;
    private static final int INVALID_ARGUMENT = 3;
    private static final int DEADLINE_EXCEEDED = 4;
    private static final int PERMISSION_DENIED = 7;
    private static final int RESOURCE_EXHAUSTED = 8;
    private static final int FAILED_PRECONDITION = 9;
    private static final int ABORTED = 10;
    private static final int UNIMPLEMENTED = 12;
    private static final int INTERNAL = 13;
    private static final int UNAVAILABLE = 14;

    private static final Map<String, Integer> STATUSES = Map.ofEntries(
            Map.entry("idempotency_key_missing", INVALID_ARGUMENT),
            Map.entry("idempotency_key_invalid", INVALID_ARGUMENT),
            Map.entry("idempotency_scope_missing", INVALID_ARGUMENT),
            Map.entry("idempotency_scope_invalid", INVALID_ARGUMENT),
            Map.entry("idempotency_streaming_unsupported", INVALID_ARGUMENT),
            Map.entry("idempotency_body_unprocessable", INVALID_ARGUMENT),
            Map.entry("idempotency_body_too_large", RESOURCE_EXHAUSTED),
            Map.entry("idempotency_key_reused_with_different_payload", FAILED_PRECONDITION),
            Map.entry("idempotency_response_not_retained", FAILED_PRECONDITION),
            Map.entry("idempotency_key_expired", FAILED_PRECONDITION),
            Map.entry("idempotency_replay_forbidden", PERMISSION_DENIED),
            Map.entry("idempotency_replay_check_failed", UNAVAILABLE),
            Map.entry("idempotency_key_in_progress", ABORTED),
            Map.entry("idempotency_outcome_unknown", ABORTED),
            Map.entry("idempotency_store_unavailable", UNAVAILABLE),
            Map.entry("idempotency_not_executed", UNAVAILABLE),
            Map.entry("gateway_request_malformed", INTERNAL),
            Map.entry("gateway_request_too_slow", DEADLINE_EXCEEDED),
            Map.entry("gateway_no_route", UNIMPLEMENTED),
            Map.entry("gateway_overloaded", UNAVAILABLE),
            Map.entry("gateway_upstream_unreachable", UNAVAILABLE));

    private static final String NOT_RETAINED = "idempotency_response_not_retained";

    private GrpcAnswers() {}

    /** The answer for a client of gRPC. */
    static Answer of(Answer answer) {
        if (!ClientAnswer.isReplay(answer)) {
            return refusal(
                    ProblemView.of(answer),
                    answer.headers().first("Retry-After").orElse(""));
        }
        if (!GrpcCall.isAbout(answer.headers())) {
            // Settled on evidence, which has no message of this method.
            return refusal(
                    new ProblemView(
                            NOT_RETAINED,
                            "The call was executed and will not be executed again, but there is no message to answer with.",
                            false),
                    "");
        }
        return answer.trailers().lines().isEmpty()
                ? answer
                : new Answer(
                        answer.status(),
                        answer.headers().without(Answer.REPLAYED),
                        answer.body(),
                        answer.trailers().with("idempotency-replayed", "true"));
    }

    private static Answer refusal(ProblemView problem, String retryAfterSeconds) {
        Headers headers = Headers.of("Content-Type", "application/grpc")
                .with(GrpcStatusRule.STATUS, String.valueOf(STATUSES.getOrDefault(problem.code(), UNKNOWN)))
                .with("grpc-message", encoded(problem.detail()))
                .with("idempotency-code", problem.code())
                .with("idempotency-retryable", String.valueOf(problem.retryable()));
        if (!retryAfterSeconds.isEmpty()) {
            headers = headers.with("idempotency-retry-after", retryAfterSeconds)
                    .with("grpc-retry-pushback-ms", retryAfterSeconds + "000");
        }
        return new Answer(200, headers, Body.EMPTY);
    }

    /** As gRPC wants its messages: what is not visible ASCII, and the percent sign, as percent and two digits. */
    private static String encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b < ' ' || b > '~' || b == '%') {
                encoded.append(String.format("%%%02X", b & 0xFF));
            } else {
                encoded.append((char) b);
            }
        }
        return encoded.toString();
    }
}
