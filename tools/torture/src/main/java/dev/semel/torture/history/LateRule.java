package dev.semel.torture.history;

import dev.semel.torture.history.ClientEvent.Answered;
import dev.semel.torture.history.ClientEvent.Asked;
import dev.semel.torture.history.LedgerEvent.Arrived;
import dev.semel.torture.history.LedgerEvent.Charged;
import dev.semel.torture.history.LedgerEvent.Declined;
import dev.semel.torture.history.LedgerEvent.OfRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Keys whose late retries are refused. I1: they are executed once, in their retention or ever after, and never again when
 * a client got the answer that they are late. I4: none is refused as late before its retention has passed.
 *
 * <p>Clients and ledger are enough to tell: the audit of such a record is deleted with it.
 */
final class LateRule implements Rule {

    private static final int FROM_FUTURE = 400;

    /** The share of the retention by which a client's clock may be ahead; a key is late that much sooner. */
    private static final int TOLERANCE_DIVISOR = 4;

    /** Clocks are read in steps of milliseconds. */
    private static final Duration STEP = Duration.ofMillis(2);

    private final Expectations expectations;
    private final Outages outages;

    LateRule(Expectations expectations, Outages outages) {
        this.expectations = expectations;
        this.outages = outages;
    }

    @Override
    public void check(KeyHistory key, Violations violations) {
        if (!expectations.late().test(key.identity())) {
            key.answered()
                    .filter(Answered::isLate)
                    .findFirst()
                    .ifPresent(answer ->
                            violations.add("I4", key, "a client was refused as late, but this key may be used again"));
            return;
        }
        List<OfRequest> executions = executions(key);
        if (executions.size() > 1) {
            violations.add(
                    "I1",
                    key,
                    "executed " + executions.size() + " times: "
                            + executions.stream()
                                    .map(event -> event.request().arrival() + " (fence "
                                            + event.request().fence() + ")")
                                    .collect(Collectors.joining(", ")));
        }
        if (isSentAfterRefusal(key)) {
            violations.add("I1", key, "the provider was asked after a client had been refused as late");
        }
        Instant goodUntil = goodUntil(key);
        key.answered()
                .filter(answer -> answer.status() == FROM_FUTURE
                        || (answer.isLate() && answer.at().plus(STEP).isBefore(goodUntil)))
                .findFirst()
                .ifPresent(answer -> violations.add(
                        "I4",
                        key,
                        "a client got " + answer.status() + " in time: the key was good until " + goodUntil));
    }

    private static List<OfRequest> executions(KeyHistory key) {
        return key.requests()
                .filter(event -> event instanceof Charged || event instanceof Declined)
                .toList();
    }

    private static boolean isSentAfterRefusal(KeyHistory key) {
        Instant refused = key.answered()
                .filter(Answered::isLate)
                .map(Answered::at)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
        return lastArrival(key).isAfter(refused);
    }

    private static Instant lastArrival(KeyHistory key) {
        return key.requests()
                .filter(Arrived.class::isInstance)
                .map(OfRequest::at)
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    private static Instant firstAsked(KeyHistory key) {
        return key.asked().map(Asked::at).min(Comparator.naturalOrder()).orElse(Instant.MAX);
    }

    /** Before this moment, no request for the key is late, whatever became of it. */
    private Instant goodUntil(KeyHistory key) {
        Duration retention = expectations.retention().apply(key.identity());
        return TimedKey.timeOf(key.identity().key().value())
                .map(time -> time.plus(retention).minus(retention.dividedBy(TOLERANCE_DIVISOR)))
                .orElseGet(() -> firstAsked(key).plus(retention));
    }

    /**
     * Whether an attempt may have had its effect after the settle window, for which the audit is missing: the machine
     * stood still, and no client had seen an outcome before the last attempt.
     */
    boolean isInDoubt(KeyHistory key) {
        return expectations.late().test(key.identity())
                && (executions(key).size() > 1 || isSentAfterRefusal(key))
                && key.answered()
                        .filter(Answered::isOutcome)
                        .noneMatch(answer -> answer.at().isBefore(lastArrival(key)))
                && outages.isMachineSlow(firstAsked(key), lastArrival(key));
    }

    /** How many requests were sent when the retention had passed since a client saw the outcome. */
    int retries(KeyHistory key) {
        if (!expectations.late().test(key.identity())) {
            return 0;
        }
        Duration retention = expectations.retention().apply(key.identity());
        return key.answered()
                .filter(Answered::isOutcome)
                .map(Answered::at)
                .min(Comparator.naturalOrder())
                .map(seen -> (int) key.asked()
                        .filter(asked -> asked.at().isAfter(seen.plus(retention)))
                        .count())
                .orElse(0);
    }
}
