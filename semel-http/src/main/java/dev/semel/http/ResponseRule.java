package dev.semel.http;

import dev.semel.Failures;
import java.util.Optional;

/** A route's own rule for what a response means for its record, applied before the status decides. */
@FunctionalInterface
public interface ResponseRule {

    /** The rule of a route that leaves everything to the status. */
    ResponseRule NONE = (status, headers) -> Optional.empty();

    /**
     * Returns what the response means: {@link Failures#REPLAY} records it, {@link Failures#RETRY} says that nothing was
     * executed, {@link Failures#RECONCILE} makes the outcome unknown; empty leaves it to the status.
     */
    Optional<Failures> judge(int status, Headers headers);
}
