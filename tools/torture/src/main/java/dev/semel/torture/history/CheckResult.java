package dev.semel.torture.history;

import java.util.List;

/** The checker's result for a history. */
public sealed interface CheckResult {

    Coverage coverage();

    /** Every promise was kept, and enough happened to say so. */
    record Valid(Coverage coverage) implements CheckResult {}

    /** Promises were broken. */
    record Invalid(Coverage coverage, List<Violation> violations) implements CheckResult {
        public Invalid {
            violations = List.copyOf(violations);
        }
    }

    /**
     * Nothing can be said: too little happened, or what the promises rest on did not hold.
     *
     * @param violations that the run has nevertheless; they prove nothing, but deserve a look
     */
    record Inconclusive(Coverage coverage, List<String> reasons, List<Violation> violations) implements CheckResult {
        public Inconclusive {
            reasons = List.copyOf(reasons);
            violations = List.copyOf(violations);
        }
    }
}
