package dev.semel.http;

import dev.semel.Response;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.key.KeyFinding;
import dev.semel.key.KeyResult;
import dev.semel.key.ScopeResult;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Every answer that the protocol gives by itself. */
final class Answers {

    private static final Duration RETRY_STORE = Duration.ofSeconds(1);
    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private final URI documentation;
    private final String statusPath;

    Answers(URI documentation, String statusPath) {
        this.documentation = documentation;
        this.statusPath = statusPath;
    }

    /** Why a request without a usable key is refused; nothing when there is a key. */
    @Nullable
    Answer refusalOf(KeyResult key) {
        if (key instanceof KeyResult.Missing missing) {
            return Problem.of(
                            ProblemCode.IDEMPOTENCY_KEY_MISSING,
                            "This operation needs a key that is repeated on every retry, in " + missing.lookedFor()
                                    + ".")
                    .toAnswer()
                    .with("Link", "<" + documentation + ">; rel=\"describedby\"");
        }
        if (key instanceof KeyResult.Invalid invalid) {
            return Problem.of(ProblemCode.IDEMPOTENCY_KEY_INVALID, sentence(invalid.reason()))
                    .toAnswer();
        }
        return null;
    }

    /** Why a key that looks like personal data or is easy to guess is refused. */
    Answer poorKey(KeyFinding finding) {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_KEY_INVALID,
                        "The key " + finding.description()
                                + ". Nothing was executed. Send a random UUID instead, one for"
                                + " each intent and the same on every retry. If a request with this key was accepted"
                                + " before, ask " + statusPath + " what became of it before you send a new key.")
                .toAnswer();
    }

    Answer refusalOf(ScopeResult scope) {
        if (scope instanceof ScopeResult.Invalid invalid) {
            return Problem.of(ProblemCode.IDEMPOTENCY_SCOPE_INVALID, sentence(invalid.reason()))
                    .toAnswer();
        }
        String lookedFor = scope instanceof ScopeResult.Missing missing ? missing.lookedFor() : "an owner";
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_SCOPE_MISSING,
                        "A key is only accepted from somebody who is known, by " + lookedFor + ".")
                .toAnswer();
    }

    Answer refusalOf(BodyLimitException limit) {
        String detail = sentence(String.valueOf(limit.getMessage()));
        return limit.limit() == BodyLimitException.Limit.SIZE
                ? bodyTooLarge(detail)
                : Problem.of(ProblemCode.IDEMPOTENCY_BODY_UNPROCESSABLE, detail).toAnswer();
    }

    Answer bodyTooLarge(String detail) {
        return Problem.of(ProblemCode.IDEMPOTENCY_BODY_TOO_LARGE, detail).toAnswer();
    }

    Answer mismatch(int status) {
        return new Problem(
                        ProblemCode.IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD,
                        status,
                        "The key was used before for a request that differs from this one. Use a new key for a new"
                                + " request, and repeat a request unchanged.")
                .toAnswer();
    }

    Answer conflict(Duration retryAfter) {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS,
                        "A request with this key is being processed. Ask again with the same key.")
                .toAnswer(retryAfter);
    }

    Answer accepted(RequestView request, RoutePolicy policy, Duration retryAfter) {
        return pending("in_progress", ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS, retryAfter)
                .with(
                        "Location",
                        request.basePath() + statusPath + "?" + StatusResource.OPERATION + "="
                                + policy.operation().name());
    }

    /** 202: there is no final answer yet. */
    Answer pending(String state, ProblemCode code, Duration retryAfter) {
        String json = "{\"state\":" + JsonText.quoted(state) + ",\"code\":" + JsonText.quoted(code.code())
                + ",\"retryable\":true}";
        return new Answer(
                202,
                Headers.of("Content-Type", "application/json")
                        .with("Cache-Control", "no-store")
                        .with("Retry-After", Problem.seconds(retryAfter)),
                Body.ofText(json));
    }

    Answer storeUnavailable() {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_STORE_UNAVAILABLE,
                        "It cannot be checked at the moment whether this request was executed before, so it is not"
                                + " executed now. Repeat it with the same key.")
                .toAnswer(RETRY_STORE);
    }

    Answer notFound() {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_KEY_NOT_FOUND,
                        "No execution is recorded for this key. Repeating the request with it will execute.")
                .toAnswer();
    }

    Answer replay(Response stored, String operation) {
        RecordedResponse recorded = RecordedResponse.from(stored).orElse(null);
        if (recorded == null) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "a completed record of {0} holds no response that this release can read",
                    operation);
        }
        if (recorded == null || !recorded.retained()) {
            return Problem.of(
                            ProblemCode.IDEMPOTENCY_RESPONSE_NOT_RETAINED,
                            "The request was executed and will not be executed again, but its response was not kept.")
                    .toAnswer();
        }
        return new Answer(recorded.status(), recorded.headers(), recorded.body()).with(Answer.REPLAYED, "true");
    }

    private static String sentence(String text) {
        String capitalized = text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
        return capitalized.endsWith(".") ? capitalized : capitalized + ".";
    }
}
