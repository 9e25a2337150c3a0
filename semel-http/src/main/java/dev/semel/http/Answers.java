package dev.semel.http;

import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.adapter.Claim;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.http.key.KeyResult;
import dev.semel.http.key.ScopeResult;
import dev.semel.key.KeyFinding;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answers of the protocol itself. Each problem links to the documentation, and each answer to a request with a key says
 * what the client can rely on.
 */
final class Answers {

    /** Reconciliation takes seconds at best; a client gains nothing by asking more often. */
    static final Duration RETRY_UNKNOWN = Duration.ofSeconds(5);

    private static final Duration RETRY_CHECK = Duration.ofSeconds(1);
    private static final Duration RETRY_STORE = Duration.ofSeconds(1);
    private static final Duration RETRY_NOT_EXECUTED = Duration.ofSeconds(1);
    private static final Duration RETRY_NOT_CONFIRMED = Duration.ofSeconds(1);
    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private final ProblemForm form;
    private final Promise promise;
    private final String statusPath;
    private final boolean trailers;

    /** @param trailers whether the transport can send trailers */
    Answers(ProblemForm form, Promise promise, String statusPath, boolean trailers) {
        this.form = form;
        this.promise = promise;
        this.statusPath = statusPath;
        this.trailers = trailers;
    }

    /** The answers to this request, which speaks this dialect. */
    Answers to(RequestView request, Profile profile) {
        return new Answers(form.to(request, profile), promise.in(profile), statusPath, trailers);
    }

    /** The answers to a request that has its valid key in this header. */
    Answers about(String keyHeader, RequestView request) {
        return new Answers(form, promise.about(keyHeader, request), statusPath, trailers);
    }

    Promise promise() {
        return promise;
    }

    /** The refusal of a request without a usable key; null when there is a key. */
    @Nullable
    Answer refusalOf(KeyResult key) {
        if (key instanceof KeyResult.Missing missing) {
            return problem(
                    ProblemCode.IDEMPOTENCY_KEY_MISSING,
                    "This operation needs a key that is repeated on every retry, in " + missing.lookedFor() + ".");
        }
        if (key instanceof KeyResult.Invalid invalid) {
            return answer(Problem.of(ProblemCode.IDEMPOTENCY_KEY_INVALID, sentence(invalid.reason()))
                    .withSafeNewKey(invalid.neverKey()));
        }
        return null;
    }

    /** The refusal of a key that looks like personal data or is easy to guess. */
    Answer poorKey(KeyFinding finding) {
        return problem(
                ProblemCode.IDEMPOTENCY_KEY_INVALID,
                "The key " + finding.description()
                        + ". Nothing was executed. Send a random UUID instead, one for"
                        + " each intent and the same on every retry. If a request with this key was accepted"
                        + " before, ask " + statusPath + " what became of it before you send a new key.");
    }

    Answer refusalOf(ScopeResult scope) {
        if (scope instanceof ScopeResult.Invalid invalid) {
            return problem(ProblemCode.IDEMPOTENCY_SCOPE_INVALID, sentence(invalid.reason()));
        }
        String lookedFor = scope instanceof ScopeResult.Missing missing ? missing.lookedFor() : "an owner";
        return problem(
                ProblemCode.IDEMPOTENCY_SCOPE_MISSING,
                "An idempotency key requires " + lookedFor + ", which identifies its owner.");
    }

    Answer refusalOf(BodyLimitException limit) {
        String detail = sentence(String.valueOf(limit.getMessage()));
        return limit.limit() == BodyLimitException.Limit.SIZE
                ? bodyTooLarge(detail)
                : problem(ProblemCode.IDEMPOTENCY_BODY_UNPROCESSABLE, detail);
    }

    Answer bodyTooLarge(String detail) {
        return problem(ProblemCode.IDEMPOTENCY_BODY_TOO_LARGE, detail);
    }

    Answer mismatch(int status, Refusal.Mismatch why) {
        Problem problem = new Problem(
                ProblemCode.IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD,
                status,
                "The key was used before for a request that differs from this one. Use a new key for a new"
                        + " request, and repeat a request unchanged.");
        return answer(MismatchErrors.in(problem, why));
    }

    /** A late retry: whether it was executed before is not on record any more. */
    Answer keyExpired() {
        return problem(
                ProblemCode.IDEMPOTENCY_KEY_EXPIRED,
                "Answers for this key are not kept any more, and the request may have been executed before. Nothing was"
                        + " executed now. Find out what became of it before you send it with a new key.");
    }

    Answer keyFromFuture() {
        return problem(
                ProblemCode.IDEMPOTENCY_KEY_INVALID,
                "The key carries a time that is not reached yet. Nothing was executed. Set the client's clock, and send the"
                        + " request with a new key.");
    }

    Answer conflict(Duration retryAfter) {
        return problem(
                ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS,
                "A request with this key is being processed. Ask again with the same key.",
                retryAfter);
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
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("state", state);
        json.put("code", code.code());
        json.put("retryable", true);
        json.put("safe_new_key", false);
        json.put("next", Problem.nextMember(code.next()));
        Answer answer = new Answer(
                202,
                Headers.of("Content-Type", "application/json")
                        .with("Cache-Control", "no-store")
                        .with("Retry-After", Problem.seconds(retryAfter)),
                Body.ofText(JsonText.of(json)));
        return promise.onReplay(answer, null);
    }

    Answer storeUnavailable() {
        return problem(
                ProblemCode.IDEMPOTENCY_STORE_UNAVAILABLE,
                "It cannot be checked at the moment whether this request was executed before, so it is not"
                        + " executed now. Repeat it with the same key.",
                RETRY_STORE);
    }

    Answer outcomeUnknown() {
        return problem(
                ProblemCode.IDEMPOTENCY_OUTCOME_UNKNOWN,
                "It is not known yet whether the request took effect. Keep the key and retry with it;"
                        + " a new key could cause the effect a second time.",
                RETRY_UNKNOWN);
    }

    /** The refusal of a replay, without a stored byte. Its text holds for a key that was never used, too. */
    Answer replayRefused(Refusal.ReplayForbidden why, RefusedReplay policy) {
        if (!why.decided()) {
            return problem(
                    ProblemCode.IDEMPOTENCY_REPLAY_CHECK_FAILED,
                    "It cannot be checked at the moment whether you may have the response of this request. Nothing was"
                            + " executed now. Repeat it with the same key.",
                    RETRY_CHECK);
        }
        ProblemCode code = ProblemCode.IDEMPOTENCY_REPLAY_FORBIDDEN;
        return answer(new Problem(
                code,
                policy == RefusedReplay.NOT_FOUND ? 404 : code.status(),
                "You may not have the response of this request, whether or not it was executed before. Nothing was"
                        + " executed now."));
    }

    /** The refusal of a call that a handler made, where it is recorded as the answer to the handler's own request. */
    Answer recordedRefusal(ProblemCode code) {
        return answer(Problem.of(
                        code,
                        "The request was refused by a part of the service that it called, and this answer is recorded:"
                                + " the same key will get it again.")
                .asFinal());
    }

    /** The answer for a failure of the handler, where it is recorded. */
    Answer requestFailed(int status, String detail) {
        return promise.onRefusal(form.ofHandler(new Problem(ProblemCode.REQUEST_FAILED, status, detail)));
    }

    /** The answer to a client that asks for a repeatable request where there is none. */
    Answer notSupported() {
        return problem(
                ProblemCode.IDEMPOTENCY_NOT_SUPPORTED,
                "This operation is not protected against repetition, so the request is not executed. Send it without"
                        + " the Repeatability headers if it may be executed more than once.");
    }

    /** The answer for a commit that the database may or may not have done. */
    Answer notConfirmed() {
        return problem(
                ProblemCode.IDEMPOTENCY_STORE_UNAVAILABLE,
                "The database did not confirm that the request was executed. Repeat it with the same key: if it"
                        + " was, you get its response, and otherwise it is executed.",
                RETRY_NOT_CONFIRMED);
    }

    Answer notExecuted() {
        return problem(
                ProblemCode.IDEMPOTENCY_NOT_EXECUTED,
                "The request had no effect. It can be repeated with the same key.",
                RETRY_NOT_EXECUTED);
    }

    Answer unsupportedInTransaction(String detail) {
        return problem(ProblemCode.IDEMPOTENCY_UNSUPPORTED_IN_TRANSACTION, detail);
    }

    Answer notFound() {
        return problem(
                ProblemCode.IDEMPOTENCY_KEY_NOT_FOUND,
                "No execution is recorded for this key. Repeating the request with it will execute, unless the"
                        + " key has expired.");
    }

    Answer unknownOperation() {
        return problem(
                ProblemCode.IDEMPOTENCY_OPERATION_UNKNOWN,
                "The parameter " + StatusResource.OPERATION + " names no operation of this service. Give it once, with"
                        + " the name that the Location of a 202 has, or leave it out.");
    }

    /** @param recording null where the answer is for an operator, who sees it elsewhere */
    Answer replay(Response stored, String operation, Claim.@Nullable Recording recording) {
        RecordedResponse recorded = RecordedResponse.from(stored).orElse(null);
        if (recorded == null) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "a completed record of {0} holds no response that this release can read",
                    operation);
        }
        boolean sendable =
                recorded != null && (trailers || recorded.trailers().lines().isEmpty());
        if (recorded == null || !recorded.retained() || !sendable) {
            return promise.onReplay(
                    problem(
                            ProblemCode.IDEMPOTENCY_RESPONSE_NOT_RETAINED,
                            "The request was executed and will not be executed again, but its response was not kept."),
                    recording);
        }
        Answer answer = new Answer(recorded.status(), recorded.headers(), recorded.body(), recorded.trailers());
        return promise.onReplay(answer.with(promise.profile().replayed(), "true"), recording);
    }

    private Answer problem(ProblemCode code, String detail) {
        return answer(Problem.of(code, detail));
    }

    private Answer problem(ProblemCode code, String detail, Duration retryAfter) {
        return problem(code, detail).with("Retry-After", Problem.seconds(retryAfter));
    }

    /** A problem as the application renders it. */
    Answer answer(Problem problem) {
        return promise.onRefusal(form.of(problem));
    }

    private static String sentence(String text) {
        String capitalized = text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
        return capitalized.endsWith(".") ? capitalized : capitalized + ".";
    }
}
