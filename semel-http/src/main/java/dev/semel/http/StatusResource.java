package dev.semel.http;

import dev.semel.Response;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.reconcile.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a key: 404 when a request with it would execute, 202 while there is no final answer, and then the recorded
 * response.
 */
final class StatusResource {

    /** The query parameter that names the operation, for scopes that have the route in them. */
    static final String OPERATION = "operation";

    private static final Duration RETRY_IN_PROGRESS = Duration.ofSeconds(1);

    private StatusResource() {}

    /** The operations that the query names; more than one is an error. */
    static List<String> operationsOf(RequestView request) {
        String query = request.rawQuery();
        if (query == null) {
            return List.of();
        }
        List<String> operations = new ArrayList<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (decoded(equals < 0 ? pair : pair.substring(0, equals)).equals(OPERATION)) {
                operations.add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return operations;
    }

    private static String decoded(String raw) {
        return new String(PercentCoding.decode(raw), StandardCharsets.UTF_8);
    }

    /** Whether the answer tells more of a record than that a request would execute. */
    static boolean shows(StoredRecord record) {
        return record.state() != State.FAILED_RETRYABLE && record.state() != State.EXPIRED;
    }

    /** The answer for a record, or for none. */
    static Answer answer(@Nullable StoredRecord record, Answers answers) {
        if (record == null || !shows(record)) {
            return answers.notFound();
        }
        Response response = record.response();
        if (record.state() == State.COMPLETED && response != null) {
            Claim.Recording recording = new Claim.Recording(
                    record.operation(), record.fence(), record.unchangedFor(), record.retentionRemaining());
            return answers.replay(response, record.operation(), recording).replacing("Cache-Control", "no-store");
        }
        if (record.state() == State.UNKNOWN || isAbandoned(record)) {
            return answers.pending("unknown", ProblemCode.IDEMPOTENCY_OUTCOME_UNKNOWN, Answers.RETRY_UNKNOWN);
        }
        return record.state() == State.IN_PROGRESS
                ? answers.pending("in_progress", ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS, RETRY_IN_PROGRESS)
                : answers.notFound();
    }

    /** Whether the next claim will make the record unknown; reading its state does not. */
    private static boolean isAbandoned(StoredRecord record) {
        return record.state() == State.IN_PROGRESS
                && !record.reexecutable()
                && record.leaseRemaining().isZero();
    }
}
