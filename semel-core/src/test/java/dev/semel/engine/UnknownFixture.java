package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.Reconciler.RunReport;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An engine with records whose outcome is unknown, and a resolver that is asked about them. */
abstract class UnknownFixture extends EngineFixture {

    static final Duration WINDOW = Duration.ofMinutes(30);
    static final Duration FIRST = Duration.ofSeconds(10);
    static final Duration LONGEST = Duration.ofHours(1);
    static final ReconcilePolicy POLICY = new ReconcilePolicy(WINDOW, FIRST, LONGEST, 30);
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(6);
    static final int BATCH = 10;
    static final Duration HOLD = ANSWER_WITHIN.multipliedBy(BATCH);
    static final Verdict NOT_FOUND = new Verdict.DidNotHappen("no such charge");
    static final Verdict PENDING = new Verdict.CannotTellYet("pending");
    static final Verdict FOUND = Verdict.happened(Codec.text(), "found", "charge ch_1");

    static Identity id(String key) {
        return Identity.of("acme", key);
    }

    static Intent intentOf(Operation operation, String key) {
        return Intent.of(operation, ID.scope(), Key.of(key), new Fingerprint("v1:meant"));
    }

    Execution<String> retry(Operation operation, String key) {
        return semel.execute(intentOf(operation, key), Codec.text(), attempt -> "charged " + ++executions);
    }

    void becomeUnknown(String key) {
        becomeUnknown(CHARGE, key);
    }

    void becomeUnknown(Operation operation, String key) {
        assertThatThrownBy(() -> semel.execute(intentOf(operation, key), Codec.text(), attempt -> {
                    executions++;
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    Reconciler reconciler(OutcomeResolver resolver) {
        return reconciler(resolver, POLICY);
    }

    Reconciler reconciler(OutcomeResolver resolver, ReconcilePolicy policy) {
        return Reconciler.of(semel.unknownOutcomes())
                .resolve(CHARGE, resolver, policy)
                .batch(BATCH)
                .answerWithin(ANSWER_WITHIN)
                .build();
    }

    StoredRecord onRecord(String key) {
        return memory.find(id(key)).toCompletableFuture().join().orElseThrow();
    }

    Duration untilNextTry(String key) {
        Instant next = onRecord(key).reconciling().nextTryAt();
        return Duration.between(time.instant(), next);
    }

    static RunReport report(int swept, int resolved, int rescheduled, int deadLettered, int failed, int storeFaults) {
        return new RunReport(swept, resolved, rescheduled, deadLettered, failed, storeFaults);
    }

    <E extends Event> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
