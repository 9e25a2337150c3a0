package dev.semel;

import java.util.Optional;

/**
 * An operation's own word on what one of its exceptions means, asked before {@link Failures} decides.
 *
 * <p>{@link NotExecutedException} and {@link OutcomeUnknownException} are obeyed before this rule is asked.
 */
@FunctionalInterface
public interface FailureRule {

    /** The rule of an operation that leaves everything to its {@link Failures} policy. */
    FailureRule NONE = failure -> Optional.empty();

    /** Returns what this failure means, or empty to leave it to the policy. */
    Optional<Failures> judge(Exception failure);
}
