package dev.semel.http;

import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.reconcile.StoredRecord;
import java.util.Optional;

/**
 * The answer that a retry of a recorded request gets, for operators who look at the record: the same that {@link Gate} gives
 * on a route whose policy changes no answer, behind a transport that sends trailers; without the headers that say what a client
 * can rely on, which belong to one request.
 */
public final class RetryAnswer {

    private static final Answers ANSWERS = new Answers(
            ProblemForm.standard(GateBuilder.DEFAULT_DOCUMENTATION),
            Promise.NONE,
            GateBuilder.DEFAULT_STATUS_PATH,
            true);

    private RetryAnswer() {}

    /**
     * The answer by the state of a record; empty where a retry executes.
     *
     * @param record with its response opened
     */
    public static Optional<Answer> of(StoredRecord record) {
        return switch (record.state()) {
            case COMPLETED ->
                Optional.ofNullable(record.response()).map(response -> ofCompleted(response, record.operation()));
            case UNKNOWN -> Optional.of(ANSWERS.outcomeUnknown());
            case IN_PROGRESS -> inProgress(record);
            case FAILED_RETRYABLE, EXPIRED -> Optional.empty();
        };
    }

    /** The replay of a response. */
    public static Answer ofCompleted(Response response, String operation) {
        return ANSWERS.replay(response, operation, null);
    }

    private static Optional<Answer> inProgress(StoredRecord record) {
        if (!record.leaseRemaining().isZero()) {
            return Optional.of(ANSWERS.conflict(Refusal.InProgress.RETRY_AFTER));
        }
        return record.reexecutable() ? Optional.empty() : Optional.of(ANSWERS.outcomeUnknown());
    }
}
