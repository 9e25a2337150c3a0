package dev.semel.spring.openapi;

import dev.semel.Operation.LateRetries;
import dev.semel.http.Answer;
import dev.semel.http.InProgressAnswer;
import dev.semel.http.ProblemCode;
import dev.semel.http.Profile;
import dev.semel.http.RoutePolicy;
import dev.semel.http.StoreDown;
import dev.semel.spring.SemelProperties;
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

/** The protocol's own answers to a protected request, and the headers that it adds to every answer. */
final class ProtectedAnswers {

    private static final String RETRY_AFTER = "Retry-After";

    /** The reasons for each status. */
    private final Map<Integer, List<String>> reasons = new TreeMap<>();

    private final RoutePolicy policy;
    private final SemelProperties.Http http;

    ProtectedAnswers(RoutePolicy policy, SemelProperties.Http http) {
        this.policy = policy;
        this.http = http;
        switch (policy.keyMode()) {
            case REQUIRED ->
                add(
                        ProblemCode.IDEMPOTENCY_KEY_MISSING,
                        "The header " + policy.profile().headerName(http.keyHeader()) + " is missing");
            case DERIVED ->
                add(ProblemCode.IDEMPOTENCY_KEY_MISSING, "The request lacks what its idempotency key is made from");
            case OPTIONAL -> {
                // A request without a key is executed.
            }
        }
        add(ProblemCode.IDEMPOTENCY_KEY_INVALID);
        if (policy.operation().lateRetries() != LateRetries.EXECUTE) {
            add(ProblemCode.IDEMPOTENCY_KEY_EXPIRED);
        }
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

    private ApiResponse markedAsReplayable(ApiResponse response) {
        ApiResponse marked = copyOf(response);
        header(
                marked,
                policy.profile().replayed(),
                "`true` when this is the recorded answer to an earlier request",
                new StringSchema());
        promise(marked);
        if (http.answerHeaders()) {
            header(
                    marked,
                    Answer.EXPIRES,
                    "Until when this answer is kept for retries with the same key, as an HTTP date",
                    new StringSchema());
            header(marked, Answer.AGE, "How many seconds ago a replayed answer was recorded", new IntegerSchema());
        }
        return marked;
    }

    /** The headers that every answer has which is about a key. */
    private void promise(ApiResponse response) {
        if (policy.profile() == Profile.OASIS) {
            header(
                    response,
                    Profile.REPEATABILITY_RESULT,
                    "`accepted`, or `rejected` when nothing was executed",
                    new StringSchema());
        } else if (http.answerHeaders() && policy.keyMode() != RoutePolicy.KeyMode.DERIVED) {
            header(response, http.keyHeader(), "The key of the request", new StringSchema());
        }
    }

    private void add(ApiResponses responses, int status, String reason) {
        ApiResponse known = responses.get(Integer.toString(status));
        ApiResponse made =
                known == null ? new ApiResponse().content(ProblemSchema.content(policy.profile())) : copyOf(known);
        promise(made);
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
