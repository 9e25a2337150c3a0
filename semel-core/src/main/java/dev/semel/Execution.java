package dev.semel;

import org.jspecify.annotations.Nullable;

/** What became of one request to execute an operation. */
public sealed interface Execution<T extends @Nullable Object> {

    /** The code ran now, and its outcome is durable. */
    record Ran<T extends @Nullable Object>(T value, Outcome outcome) implements Execution<T> {}

    /** The code ran earlier; this is what it answered then. */
    record Replayed<T extends @Nullable Object>(T value) implements Execution<T> {}

    /** The code did not run. */
    record Refused<T extends @Nullable Object>(Refusal why) implements Execution<T> {}

    /** The code ran now, but its lease was lost before it answered: the answer was not recorded. */
    record LeaseLost<T extends @Nullable Object>(T value) implements Execution<T> {}

    /** The code ran now, but the store did not confirm the record: retries may find it unknown. */
    record Unconfirmed<T extends @Nullable Object>(T value, StoreException fault) implements Execution<T> {}

    /**
     * Returns the answer that every retry will get as well.
     *
     * @throws RefusedException when there is none: the code did not run, or its answer is not on record
     */
    default T orThrow() {
        if (this instanceof Ran<T> ran) {
            return ran.value();
        }
        if (this instanceof Replayed<T> replayed) {
            return replayed.value();
        }
        throw new RefusedException(this);
    }
}
