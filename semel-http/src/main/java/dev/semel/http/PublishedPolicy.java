package dev.semel.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is published about the policy of an operation. */
final class PublishedPolicy {

    private PublishedPolicy() {}

    /**
     * The policy of an operation.
     *
     * @param routes the requests that it is for; empty where they are published around it
     */
    static Map<String, Object> of(
            RoutePolicy policy, List<Map<String, Object>> routes, String keyHeader, boolean strict) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("operation", policy.operation().name());
        if (!routes.isEmpty()) {
            operation.put("routes", routes);
        }
        operation.put("profile", lower(policy.profile()));
        operation.put("key", key(policy, keyHeader, strict));
        operation.put("retention", policy.operation().retention().toString());
        operation.put("in_progress", inProgress(policy));
        operation.put("mismatch_status", policy.mismatchStatus());
        operation.put("fingerprint", fingerprint(policy));
        operation.put("replayed", replayed(policy));
        operation.put("late_retries", lower(policy.operation().lateRetries()));
        return operation;
    }

    private static Map<String, Object> key(RoutePolicy policy, String keyHeader, boolean strict) {
        Map<String, Object> key = new LinkedHashMap<>();
        key.put("mode", lower(policy.keyMode()));
        if (policy.keyMode() == RoutePolicy.KeyMode.DERIVED) {
            return key;
        }
        key.put("header", policy.profile().headerName(keyHeader));
        key.put("syntax", policy.profile().syntax(policy.isStrict(strict)));
        key.put("uuid", policy.keyRules().uuid());
        key.put("min_length", policy.keyRules().minLength());
        key.put("max_length", policy.keyRules().maxLength());
        return key;
    }

    private static Map<String, Object> inProgress(RoutePolicy policy) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("status", policy.inProgress() == InProgressAnswer.ACCEPTED ? 202 : 409);
        answer.put("wait", policy.operation().maxWait().toString());
        return answer;
    }

    private static Map<String, Object> fingerprint(RoutePolicy policy) {
        Map<String, Object> fingerprint = new LinkedHashMap<>();
        fingerprint.put("parts", List.of("method", "path", "query", "media type", "body"));
        fingerprint.put("headers", policy.fingerprintHeaders());
        fingerprint.put("fields", policy.semanticFields());
        return fingerprint;
    }

    private static Map<String, Object> replayed(RoutePolicy policy) {
        Map<String, Object> replayed = new LinkedHashMap<>();
        replayed.put("header", policy.profile().replayed());
        replayed.put(
                "not_executed_statuses", policy.refusals().stream().sorted().toList());
        replayed.put("failures", lower(policy.operation().failures()));
        replayed.put("max_body_bytes", policy.maxRecordedResponse());
        return replayed;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
