package dev.semel.torture.history;

import dev.semel.State;
import dev.semel.torture.history.AuditEvent.Changed;
import dev.semel.torture.history.AuditEvent.Read;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * I4, I5, I6: a record changes as the state machine allows, and leaves {@code unknown} on evidence that had time to form.
 * I12, second half: the audit, read from its start, ends in the table.
 */
final class TransitionRule implements Rule {

    private static final Map<State, Set<State>> NEXT = Map.of(
            State.IN_PROGRESS, EnumSet.of(State.IN_PROGRESS, State.COMPLETED, State.FAILED_RETRYABLE, State.UNKNOWN),
            State.COMPLETED, EnumSet.of(State.EXPIRED),
            State.FAILED_RETRYABLE, EnumSet.of(State.IN_PROGRESS, State.EXPIRED),
            State.UNKNOWN, EnumSet.of(State.UNKNOWN, State.COMPLETED, State.FAILED_RETRYABLE),
            State.EXPIRED, EnumSet.of(State.IN_PROGRESS, State.EXPIRED));

    private final Expectations expectations;

    TransitionRule(Expectations expectations) {
        this.expectations = expectations;
    }

    @Override
    public void check(KeyHistory key, Violations violations) {
        Changed before = null;
        Instant unknownSince = Instant.MAX;
        Instant settledAt = Instant.MIN;
        for (Changed change : key.changes()) {
            checkChain(key, before, change, settledAt, violations);
            checkAllowed(key, before, change, violations);
            if (change.from() == State.UNKNOWN && change.to().state() != State.UNKNOWN) {
                checkEvidence(key, change, unknownSince, violations);
            }
            if (change.to().state() == State.UNKNOWN && change.from() != State.UNKNOWN) {
                unknownSince = change.at();
            }
            if (change.to().state() == State.COMPLETED || change.to().state() == State.FAILED_RETRYABLE) {
                settledAt = change.at();
            }
            before = change;
        }
        checkTable(key, before, violations);
    }

    /** Each entry goes on where the one before it ended. */
    private void checkChain(
            KeyHistory key, @Nullable Changed before, Changed change, Instant settledAt, Violations violations) {
        State was = before == null ? null : before.to().state();
        if (Objects.equals(was, change.from())) {
            if (change.to().state() == State.EXPIRED && was != State.EXPIRED) {
                checkRetention(key, change, settledAt, violations);
            }
        } else if (change.from() == State.EXPIRED && (was == State.COMPLETED || was == State.FAILED_RETRYABLE)) {
            checkRetention(key, change, settledAt, violations);
        } else {
            violations.add(
                    "I12",
                    key,
                    "entry " + change.number() + " of the audit starts from " + change.from() + ", but the record was "
                            + was);
        }
    }

    private void checkRetention(KeyHistory key, Changed change, Instant settledAt, Violations violations) {
        Duration kept = Duration.between(settledAt, change.at());
        Duration retention = expectations.retention().apply(key.identity());
        if (kept.compareTo(retention) < 0) {
            violations.add("I4", key, "the record expired after " + kept + ", its retention is " + retention);
        }
    }

    private static void checkAllowed(KeyHistory key, @Nullable Changed before, Changed change, Violations violations) {
        State from = change.from();
        State to = change.to().state();
        boolean allowed = from == null
                ? to == State.IN_PROGRESS
                : NEXT.getOrDefault(from, Set.of()).contains(to);
        boolean otherFence =
                before != null && before.to().fence() != change.to().fence();
        if (!allowed) {
            String invariant = from == State.COMPLETED ? "I4" : from == State.UNKNOWN ? "I6" : "I12";
            violations.add(invariant, key, "the record went from " + from + " to " + to);
        } else if (from == State.IN_PROGRESS && to == State.IN_PROGRESS && otherFence) {
            violations.add(
                    "I5",
                    key,
                    "fence " + change.to().fence()
                            + " was granted because a lease had expired, without evidence about the attempt before it");
        }
    }

    private void checkEvidence(KeyHistory key, Changed change, Instant since, Violations violations) {
        if (change.isLateAnswer() ? !isOwnAnswer(key, change) : !hasEvidence(change)) {
            violations.add("I6", key, "the record left unknown without evidence");
        }
        if (change.to().state() == State.FAILED_RETRYABLE) {
            Duration age = Duration.between(since, change.at());
            if (age.compareTo(expectations.settleWindow()) < 0) {
                violations.add(
                        "I6",
                        key,
                        "the record was reopened after it had been unknown for " + age + ", its settle window is "
                                + expectations.settleWindow());
            }
        }
    }

    private static boolean hasEvidence(Changed change) {
        return !change.who().isBlank() && change.why() != null && !change.why().isBlank();
    }

    /** The holder of the fence may complete its unknown record; it may no longer release it. */
    private static boolean isOwnAnswer(KeyHistory key, Changed change) {
        return change.to().state() == State.COMPLETED
                && new Attempts(key.changes())
                        .grants().stream()
                                .anyMatch(grant ->
                                        grant.to().fence() == change.to().fence()
                                                && grant.who().equals(change.who()));
    }

    private static void checkTable(KeyHistory key, @Nullable Changed last, Violations violations) {
        List<Read> reads = key.reads(Read.END).toList();
        if (last == null && reads.isEmpty()) {
            return;
        }
        if (last == null || reads.isEmpty()) {
            violations.add("I12", key, last == null ? "there is a record without audit" : "the record is gone");
            return;
        }
        AuditEvent.Standing table = reads.get(0).standing();
        boolean sameState = table.state() == last.to().state() || table.state() == State.EXPIRED;
        if (!sameState || table.fence() != last.to().fence()) {
            violations.add("I12", key, "the audit ends in " + last.to() + ", but the table has " + table);
        }
    }
}
