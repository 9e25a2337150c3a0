package dev.semel.spring.openapi;

import dev.semel.http.InProgressAnswer;
import dev.semel.http.ProblemCode;
import dev.semel.http.RoutePolicy;
import dev.semel.http.StoreDown;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The protocol's own answers to a protected request, and the header that marks replays. */
final class ProtectedAnswers {

    private static final String REPLAYED = "Idempotency-Replayed";
    private static final String RETRY_AFTER = "Retry-After";

    /** The reasons for each status. */
    private final Map<Integer, List<String>> reasons = new TreeMap<>();

    private final RoutePolicy policy;

    ProtectedAnswers(RoutePolicy policy, String keyHeader) {
        this.policy = policy;
        switch (policy.keyMode()) {
            case REQUIRED -> add(ProblemCode.IDEMPOTENCY_KEY_MISSING, "The header " + keyHeader + " is missing");
            case DERIVED ->
                add(ProblemCode.IDEMPOTENCY_KEY_MISSING, "The request lacks what its idempotency key is made from");
            case OPTIONAL -> {
                // A request without a key is executed.
            }
        }
        add(ProblemCode.IDEMPOTENCY_KEY_INVALID);
        add(
                policy.mismatchStatus(),
                ProblemCode.IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD,
                ProblemCode.IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD.title());
        if (policy.inProgress() == InProgressAnswer.CONFLICT) {
            add(ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS);
        }
        add(ProblemCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
        add(ProblemCode.IDEMPOTENCY_RESPONSE_NOT_RETAINED);
        if (policy.storeDown() == StoreDown.FAIL_CLOSED) {
            add(ProblemCode.IDEMPOTENCY_STORE_UNAVAILABLE);
        }
    }

    private void add(ProblemCode code) {
        add(code, code.title());
    }

    private void add(ProblemCode code, String reason) {
        add(code.status(), code, reason);
    }

    private void add(int status, ProblemCode code, String reason) {
        reasons.computeIfAbsent(status, each -> new ArrayList<>()).add(reason + " (`" + code.code() + "`)");
    }

    void addTo(Operation operation) {
        ApiResponses responses = operation.getResponses();
        if (responses == null) {
            responses = new ApiResponses();
            operation.setResponses(responses);
        }
        responses.replaceAll((status, response) -> isOfHandler(status) ? markedAsReplayable(response) : response);
        for (Map.Entry<Integer, List<String>> each : reasons.entrySet()) {
            add(responses, each.getKey(), String.join("; ", each.getValue()));
        }
        if (policy.inProgress() == InProgressAnswer.ACCEPTED) {
            addAccepted(responses);
        }
    }

    private static boolean isOfHandler(String status) {
        return status.startsWith("2") || status.equals("default");
    }

    private static ApiResponse markedAsReplayable(ApiResponse response) {
        ApiResponse marked = copyOf(response);
        header(marked, REPLAYED, "`true` when this is the recorded answer to an earlier request", new StringSchema());
        return marked;
    }

    private static void add(ApiResponses responses, int status, String reason) {
        ApiResponse known = responses.get(Integer.toString(status));
        ApiResponse made = known == null ? new ApiResponse().content(ProblemSchema.content()) : copyOf(known);
        made.setDescription(joined(made.getDescription(), reason));
        if (status == ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS.status()
                || status == ProblemCode.IDEMPOTENCY_STORE_UNAVAILABLE.status()) {
            retryAfter(made);
        }
        responses.addApiResponse(Integer.toString(status), made);
    }

    private static void addAccepted(ApiResponses responses) {
        ApiResponse known = responses.get("202");
        ApiResponse accepted = known == null ? new ApiResponse() : copyOf(known);
        accepted.setDescription(joined(
                accepted.getDescription(),
                ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS.title() + "; ask for its state at `Location`"));
        header(accepted, "Location", "The resource that answers the state of the key", new StringSchema());
        retryAfter(accepted);
        responses.addApiResponse("202", accepted);
    }

    /** A copy, since other operations may share the object. A reference stays as it is, since siblings of it are ignored. */
    private static ApiResponse copyOf(ApiResponse response) {
        ApiResponse copy = new ApiResponse()
                .description(response.getDescription())
                .content(response.getContent())
                .headers(response.getHeaders() == null ? null : new LinkedHashMap<>(response.getHeaders()));
        copy.setLinks(response.getLinks());
        copy.setExtensions(response.getExtensions());
        copy.set$ref(response.get$ref());
        return copy;
    }

    private static void retryAfter(ApiResponse response) {
        header(
                response,
                RETRY_AFTER,
                "After how many seconds to repeat the request with the same key",
                new IntegerSchema());
    }

    private static void header(ApiResponse response, String name, String description, Schema<?> schema) {
        if (response.getHeaders() == null || !response.getHeaders().containsKey(name)) {
            response.addHeaderObject(name, new Header().description(description).schema(schema));
        }
    }

    private static String joined(@Nullable String known, String reason) {
        return known == null || known.isBlank() ? reason : known + "; " + reason;
    }
}
