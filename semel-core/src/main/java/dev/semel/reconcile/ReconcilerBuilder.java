package dev.semel.reconcile;

import dev.semel.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Configures a reconciler; everything but the resolvers has a default. */
public final class ReconcilerBuilder {

    /** Small enough that a crash delays few records, large enough that taking them costs little. */
    private static final int DEFAULT_BATCH = 20;

    /** A vanished attempt is noticed this long after its lease; looking more often would gain little. */
    private static final Duration DEFAULT_EVERY = Duration.ofSeconds(10);

    /** What most HTTP clients allow at most. */
    private static final Duration DEFAULT_ANSWER_WITHIN = Duration.ofSeconds(30);

    /** A day: any longer is a mistake. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private static final int LARGEST_BATCH = 1000;

    private final UnknownOutcomes unknowns;
    private final List<Resolving> resolvers = new ArrayList<>();
    private Duration every = DEFAULT_EVERY;
    private Duration answerWithin = DEFAULT_ANSWER_WITHIN;
    private int batch = DEFAULT_BATCH;

    ReconcilerBuilder(UnknownOutcomes unknowns) {
        this.unknowns = unknowns;
    }

    /** Who is asked about an operation, and how. */
    record Resolving(Operation operation, OutcomeResolver resolver, ReconcilePolicy policy) {}

    /** Has this resolver asked about unknown outcomes of the operation, by the default policy. */
    public ReconcilerBuilder resolve(Operation operation, OutcomeResolver resolver) {
        return resolve(operation, resolver, ReconcilePolicy.DEFAULT);
    }

    /** Has this resolver asked about unknown outcomes of the operation, which also says how long they are kept then. */
    public ReconcilerBuilder resolve(Operation operation, OutcomeResolver resolver, ReconcilePolicy policy) {
        policy.requireConsistent(operation.name());
        if (resolvers.stream().anyMatch(other -> other.operation().name().equals(operation.name()))) {
            throw new IllegalArgumentException("operation " + operation.name() + " has a resolver already");
        }
        resolvers.add(new Resolving(operation, resolver, policy));
        return this;
    }

    /** How long to pause when there is nothing left to do. */
    public ReconcilerBuilder every(Duration newEvery) {
        every = within("the pause between two runs", newEvery);
        return this;
    }

    /**
     * How long one call of a resolver takes at most. Records are taken for as long as a whole batch may take; when a
     * resolver is slower, another process may ask the same once more.
     */
    public ReconcilerBuilder answerWithin(Duration newAnswerWithin) {
        answerWithin = within("the time for a resolver's answer", newAnswerWithin);
        return this;
    }

    private static Duration within(String what, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " is " + value + ", it must be positive and at most " + LONGEST);
        }
        return value;
    }

    /** How many records are taken at once. */
    public ReconcilerBuilder batch(int newBatch) {
        if (newBatch < 1 || newBatch > LARGEST_BATCH) {
            throw new IllegalArgumentException(
                    "a batch of " + newBatch + " records, it must be between 1 and " + LARGEST_BATCH);
        }
        batch = newBatch;
        return this;
    }

    /** Makes the reconciler; it does nothing before it is run or started. */
    public Reconciler build() {
        return new Reconciler(unknowns, List.copyOf(resolvers), every, batch, answerWithin);
    }

    /** Makes the reconciler and starts it. */
    public Reconciler start() {
        Reconciler reconciler = build();
        reconciler.start();
        return reconciler;
    }
}
