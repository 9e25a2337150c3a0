package dev.semel.grpc;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.key.KeyHygiene;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;

/**
 * What one method does: its operation, and how its calls and answers are treated.
 *
 * <p>Without a {@link StatusRule}, answers mean this:
 *
 * <ul>
 *   <li>{@code UNAUTHENTICATED}, {@code PERMISSION_DENIED}, {@code RESOURCE_EXHAUSTED} and {@code UNIMPLEMENTED}: refused before
 *       execution, the key is released
 *   <li>{@code CANCELLED} and {@code DEADLINE_EXCEEDED}: the handler gave up on the way, the outcome is unknown
 *   <li>{@code UNKNOWN}, {@code INTERNAL}, {@code UNAVAILABLE} and {@code DATA_LOSS}: what {@link Operation#failures()} says
 *   <li>all others, such as {@code OK} and {@code FAILED_PRECONDITION}: recorded and replayed
 * </ul>
 *
 * @param keyRequired whether a call without a key is refused; it passes without protection otherwise
 * @param keyHygiene how keys are treated that look like personal data or are easy to guess
 * @param maxRecordedResponse the longest message in bytes that is kept for replays; a longer one is sent once
 * @param answerWithin how long a handler has to answer, before the outcome counts as unknown; a later answer settles it
 */
public record CallPolicy(
        Operation operation,
        boolean keyRequired,
        KeyHygiene keyHygiene,
        int maxRecordedResponse,
        Duration answerWithin,
        StatusRule rule) {

    /** As for HTTP: enough for an answer that is data and not a file. */
    private static final int DEFAULT_MAX_RECORDED_RESPONSE = 1 << 20;

    /** Longer than handlers run while their client waits; short enough that a lost answer is noticed on the same day. */
    private static final Duration DEFAULT_ANSWER_WITHIN = Duration.ofMinutes(10);

    /** No client waits that long: any longer is a mistake. */
    private static final Duration LONGEST_ANSWER = Duration.ofDays(365);

    public CallPolicy {
        if (maxRecordedResponse < 0) {
            throw new IllegalArgumentException("the longest recorded response of " + operation.name() + " is "
                    + maxRecordedResponse + " bytes, it must not be negative");
        }
        if (answerWithin.isNegative() || answerWithin.isZero() || answerWithin.compareTo(LONGEST_ANSWER) > 0) {
            throw new IllegalArgumentException("the time to answer of " + operation.name() + " is " + answerWithin
                    + ", it must be longer than nothing and at most " + LONGEST_ANSWER);
        }
    }

    /** A policy with the defaults: a key is required, poor keys are logged, a megabyte is kept, ten minutes to answer. */
    public static CallPolicy of(Operation operation) {
        return new CallPolicy(
                operation,
                true,
                KeyHygiene.WARN,
                DEFAULT_MAX_RECORDED_RESPONSE,
                DEFAULT_ANSWER_WITHIN,
                StatusRule.NONE);
    }

    /** Lets calls without a key pass without protection. */
    public CallPolicy keyOptional() {
        return new CallPolicy(operation, false, keyHygiene, maxRecordedResponse, answerWithin, rule);
    }

    public CallPolicy keyHygiene(KeyHygiene hygiene) {
        return new CallPolicy(operation, keyRequired, hygiene, maxRecordedResponse, answerWithin, rule);
    }

    public CallPolicy maxRecordedResponse(int bytes) {
        return new CallPolicy(operation, keyRequired, keyHygiene, bytes, answerWithin, rule);
    }

    public CallPolicy answerWithin(Duration limit) {
        return new CallPolicy(operation, keyRequired, keyHygiene, maxRecordedResponse, limit, rule);
    }

    public CallPolicy statusRule(StatusRule newRule) {
        return new CallPolicy(operation, keyRequired, keyHygiene, maxRecordedResponse, answerWithin, newRule);
    }

    /** What an answer of the handler means for the record. */
    public Failures judge(Status status, Metadata trailers) {
        return rule.judge(status, trailers).orElseGet(() -> switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNIMPLEMENTED -> Failures.RETRY;
            case CANCELLED, DEADLINE_EXCEEDED -> Failures.RECONCILE;
            case UNKNOWN, INTERNAL, UNAVAILABLE, DATA_LOSS -> operation.failures();
            default -> Failures.REPLAY;
        });
    }
}
