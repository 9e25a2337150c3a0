package dev.semel;

import org.jspecify.annotations.Nullable;

/** The code of a step. */
@FunctionalInterface
public interface StepWork<T extends @Nullable Object, E extends Exception> {

    /**
     * Does the step.
     *
     * @param downstreamKey the key to send with it, the same on every attempt: {@code attempt.downstreamKey(step's name)}
     */
    T run(String downstreamKey) throws E;
}
