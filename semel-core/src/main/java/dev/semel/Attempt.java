package dev.semel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One execution under one lease, as the executing code sees it. */
public interface Attempt {

    Lease lease();

    /** Which attempt at this intent it is: 1 for the first. Attempts in transactions that were rolled back do not count. */
    int number();

    /** The operation that is being attempted. */
    Operation operation();

    /**
     * A key to send to another service for this purpose, the same on every attempt of this intent, so that the other
     * side can recognize a repetition: 64 hex digits.
     */
    String downstreamKey(String purpose);

    /**
     * The same key for a service that recognizes it for this long: refused when an earlier attempt may have sent it longer
     * ago, since the service could take it for a new one.
     *
     * @throws OutcomeUnknownException when the key may be too old to be recognized; the outcome must be looked up
     * @throws IllegalStateException within a transaction, which leaves no trace of when it sent a key
     */
    String downstreamKey(String purpose, Duration honoured);

    /**
     * Does a part of the work and records its result, or returns the result that an earlier attempt recorded. Steps run
     * one after the other, in the same order on every attempt; each costs one round trip to the store, and none when it is
     * replayed.
     *
     * <p>When the work throws, nothing is recorded.
     *
     * @throws OutcomeUnknownException when the step may have been done without being recorded, before or now; or when it
     *     was not begun, since this attempt has lost its lease or was settled
     * @throws IllegalStateException while another step of this attempt runs, and within a transaction
     */
    default <T extends @Nullable Object> T step(Step step, Codec<T> codec, Step.Work<T> work) {
        return this.<T, RuntimeException>stepChecked(step, codec, work::run);
    }

    /**
     * Like {@link #step}, for work that throws a checked exception.
     *
     * @throws E what the work threw; nothing was recorded
     */
    <T extends @Nullable Object, E extends Exception> T stepChecked(
            Step step, Codec<T> codec, Step.CheckedWork<T, E> work) throws E;

    /**
     * Whether this attempt still holds its lease, as far as this process knows. Long-running code checks it before each
     * effect. Once false it stays false; it is false when the attempt is settled.
     */
    boolean stillOwner();

    /** Declares that this attempt had no effect, whatever it returns: the key is released for the next request. */
    void notExecuted(String reason);

    /** Declares the outcome unknown, whatever this attempt returns: the record becomes unknown and waits for evidence. */
    void outcomeUnknown(String reason);
}
