package dev.semel.admin;

import dev.semel.Response;
import dev.semel.State;
import dev.semel.admin.json.Json;
import dev.semel.admin.json.JsonReader;
import dev.semel.http.Answer;
import dev.semel.http.Headers;
import dev.semel.http.ProblemCode;
import dev.semel.http.RecordedResponse;
import dev.semel.http.RetryAnswer;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import dev.semel.reconcile.StoredRecord.Reconciling;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Records in JSON. */
final class RecordView {

    private RecordView() {}

    static Json summary(StoredRecord record) {
        StoredRecord.Times times = record.times();
        return Json.object()
                .with("scope", record.identity().scope().value())
                .with("key", record.identity().key().value())
                .with("keyInLogs", record.identity().key().redacted())
                .with("operation", record.operation())
                .with("state", record.state().label())
                .with("deadLettered", record.isDeadLettered())
                .with("reason", record.reason())
                .with("fence", record.fence())
                .with("attempt", record.attempts())
                .with("createdAt", times.createdAt())
                .with("claimedAt", times.claimedAt())
                .with("updatedAt", times.updatedAt())
                .with("expiresAt", times.expiresAt())
                .with("leaseUntil", times.lockedUntil());
    }

    /** The whole record. Its response is opened, and its body left out. */
    static Json whole(StoredRecord record, List<AuditEntry> history) {
        Response response = record.response();
        return facts(record, history)
                .with("response", response == null ? null : masked(response))
                .with(
                        "retryGets",
                        response != null && RecordedResponse.from(response).isEmpty()
                                ? ofApplication()
                                : retry(RetryAnswer.of(record), record.state()));
    }

    /** What was not executed over HTTP: a message, a webhook, a call of the engine. */
    private static Json ofApplication() {
        return Json.object()
                .with("executes", false)
                .with(
                        "explanation",
                        "Nothing executes: the application gets the recorded result again, which is no HTTP response.");
    }

    /**
     * A completed record whose response cannot be opened here.
     *
     * @param why such as that it is encrypted, and with which key
     */
    static Json sealed(StoredRecord record, List<AuditEntry> history, String why) {
        return facts(record, history)
                .with("response", Json.object().with("sealed", why).with("bodyMasked", true))
                .with(
                        "retryGets",
                        Json.object()
                                .with("executes", false)
                                .with(
                                        "explanation",
                                        "The client gets the recorded response, which cannot be opened here."));
    }

    private static Json facts(StoredRecord record, List<AuditEntry> history) {
        Evidence evidence = record.evidence();
        Reconciling reconciling = record.reconciling();
        return summary(record)
                .with("asOf", record.times().asOf())
                .with("fingerprint", record.fingerprint().value())
                .with("holder", Holder.nameIn(record.holder()))
                .with("request", record.request())
                .with("reexecutable", record.reexecutable())
                .with("doubtSince", record.times().doubtSince())
                .with("unknownSince", reconciling == null ? null : reconciling.since())
                .with("looks", reconciling == null ? null : reconciling.tries())
                .with("nextLookAt", reconciling == null ? null : reconciling.nextTryAt())
                .with("evidence", evidence == null ? null : evidence(evidence.source(), evidence.detail()))
                .with("attempts", attempts(history))
                .with("steps", steps(record, history))
                .with("audit", history.stream().map(RecordView::entry).toList());
    }

    private static Json evidence(String source, String detail) {
        return Json.object().with("source", source).with("detail", detail);
    }

    private static Json entry(AuditEntry entry) {
        boolean onEvidence = entry.change() == Change.RECONCILED
                || entry.change() == Change.RESCHEDULED
                || entry.change() == Change.DEAD_LETTERED;
        State from = entry.from();
        return Json.object()
                .with("number", entry.number())
                .with("at", entry.at())
                .with("by", entry.actor())
                .with("from", from == null ? "absent" : from.label())
                .with("to", entry.to().label())
                .with("fence", entry.fence())
                .with("kind", entry.change().label())
                .with("detail", entry.why())
                .with("request", entry.request())
                .with("evidence", onEvidence ? evidence(entry.who(), String.valueOf(entry.why())) : null);
    }

    private static List<Json> attempts(List<AuditEntry> history) {
        List<Json> attempts = new ArrayList<>();
        for (AuditEntry grant : history) {
            if (grant.change() == Change.GRANTED || grant.change() == Change.TAKEN_OVER) {
                Optional<AuditEntry> end = history.stream()
                        .filter(entry -> entry.fence() == grant.fence()
                                && entry.from() == State.IN_PROGRESS
                                && entry.to() != State.IN_PROGRESS)
                        .findFirst();
                attempts.add(Json.object()
                        .with("number", attempts.size() + 1)
                        .with("fence", grant.fence())
                        .with("startedAt", grant.at())
                        .with("endedAt", end.map(AuditEntry::at).orElse(null))
                        .with("outcome", end.map(entry -> entry.to().label()).orElse(null))
                        .with("holder", grant.actor())
                        .with("request", grant.request()));
            }
        }
        return attempts;
    }

    /** Steps that are in the audit; those of a completed record are no longer in the record itself. */
    private static List<Json> steps(StoredRecord record, List<AuditEntry> history) {
        List<String> kept = record.steps().names();
        return history.stream()
                .filter(entry -> entry.change() == Change.STEP)
                .map(entry -> Json.object()
                        .with("name", entry.why())
                        .with("at", entry.at())
                        .with("fence", entry.fence())
                        .with("kept", kept.contains(String.valueOf(entry.why()))))
                .toList();
    }

    private static Json masked(Response stored) {
        RecordedResponse response = RecordedResponse.from(stored).orElse(null);
        if (response == null) {
            return Json.object().with("bodyBytes", stored.size()).with("bodyMasked", true);
        }
        return head(response).with("bodyMasked", true);
    }

    private static Json head(RecordedResponse response) {
        return Json.object()
                .with("status", response.status())
                .with("headers", headers(response.headers()))
                .with("trailers", headers(response.trailers()))
                .with("bodyBytes", response.body().bytes().length)
                .with("retained", response.retained());
    }

    /** A response with its body; one that is no HTTP response has only a body. */
    static Json opened(Response stored) {
        RecordedResponse response = RecordedResponse.from(stored).orElse(null);
        return response == null
                ? body(Json.object().with("bodyBytes", stored.size()), stored.bytes())
                : body(head(response), response.body().bytes());
    }

    private static Json body(Json json, byte[] bytes) {
        try {
            return json.with(
                    "body",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString());
        } catch (CharacterCodingException e) {
            return json.with("bodyBase64", Base64.getEncoder().encodeToString(bytes));
        }
    }

    static List<List<String>> headers(Headers headers) {
        return headers.lines().stream()
                .map(line -> List.of(line.name(), line.value()))
                .toList();
    }

    /** What a retry gets; of a recorded response without its body, of a refusal with it. */
    private static Json retry(Optional<Answer> answer, State state) {
        if (answer.isEmpty()) {
            return Json.object()
                    .with("executes", true)
                    .with("explanation", "The next request with this key and the same content executes the operation.");
        }
        String code = codeIn(answer.get());
        Json json = Json.object()
                .with("executes", false)
                .with("status", answer.get().status())
                .with("headers", headers(answer.get().headers()))
                .with("code", code)
                .with("explanation", explanation(answer.get(), state));
        return code == null ? json : body(json, answer.get().body().bytes());
    }

    private static @Nullable String codeIn(Answer answer) {
        boolean problem = answer.headers().first("Content-Type").orElse("").equals("application/problem+json");
        if (!problem || answer.headers().first(Answer.REPLAYED).isPresent()) {
            return null;
        }
        return JsonReader.object(answer.body().bytes()).text("code", 100);
    }

    private static String explanation(Answer answer, State state) {
        if (state == State.COMPLETED) {
            return ofCompleted(answer);
        }
        return ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS.code().equals(codeIn(answer))
                ? "The request is refused while the attempt runs."
                : "The request is refused until the outcome is settled.";
    }

    private static String ofCompleted(Answer answer) {
        if (answer.headers().first(Answer.REPLAYED).isEmpty()) {
            return "The request is refused, since it was executed and its response was not kept.";
        }
        return answer.trailers().lines().isEmpty()
                ? "The recorded response is replayed, and nothing executes."
                : "The recorded response is replayed with its trailers, and nothing executes. A transport that cannot send"
                        + " trailers answers 409 instead.";
    }

    /** The whole answer to a retry, as the client gets it. */
    static Json answer(Answer answer) {
        return body(
                Json.object()
                        .with("executes", false)
                        .with("status", answer.status())
                        .with("headers", headers(answer.headers())),
                answer.body().bytes());
    }
}
