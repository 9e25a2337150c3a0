package dev.semel;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A part of an operation that is recorded when it is done, so that the next attempt does not do it again.
 *
 * <p>After a crash it is not known whether the step after the recorded ones had begun. One that its provider
 * deduplicates is sent again, with the same key, as long as the provider remembers; any other makes the outcome unknown.
 *
 * @param name unique within the operation, and the same in every version of its code
 * @param deduplicated for how long the provider recognizes a repeated key; null when it does not
 */
public record Step(String name, @Nullable Duration deduplicated) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public Step {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "step name '" + name + "': use 1 to 100 letters, digits, dots, dashes and underscores");
        }
        if (deduplicated != null && (deduplicated.isNegative() || deduplicated.isZero())) {
            throw new IllegalArgumentException(
                    "step " + name + ": deduplicated for " + deduplicated + ", it must be positive");
        }
    }

    /** A step that must not be done again when it may have been done. */
    public static Step named(String name) {
        return new Step(name, null);
    }

    /** The same step, whose provider recognizes a repeated key for this long after it first saw it. */
    public Step deduplicatedFor(Duration horizon) {
        return new Step(name, horizon);
    }

    /** The code of a step. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {

        /**
         * Does the step.
         *
         * @param downstreamKey the key to send with it, the same on every attempt: {@code attempt.downstreamKey(step's name)}
         */
        T run(String downstreamKey);
    }

    /** The code of a step that throws a checked exception. */
    @FunctionalInterface
    public interface CheckedWork<T extends @Nullable Object, E extends Exception> {

        /**
         * Does the step.
         *
         * @param downstreamKey the key to send with it, the same on every attempt: {@code attempt.downstreamKey(step's name)}
         */
        T run(String downstreamKey) throws E;
    }
}
