package dev.semel.grpc;

import dev.semel.Failures;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;

/** An operation's own reading of the statuses that its handler answers with, asked before {@link CallPolicy} decides. */
@FunctionalInterface
public interface StatusRule {

    /** The rule of an operation that leaves every status to its policy. */
    StatusRule NONE = (status, trailers) -> Optional.empty();

    /**
     * What this answer means: {@link Failures#REPLAY} records it, {@link Failures#RETRY} releases the key, and
     * {@link Failures#RECONCILE} leaves the outcome unknown. Empty leaves it to the policy.
     */
    Optional<Failures> judge(Status status, Metadata trailers);
}
