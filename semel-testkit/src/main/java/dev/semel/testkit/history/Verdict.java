package dev.semel.testkit.history;

import java.util.List;

/** What the checker makes of a history. */
public sealed interface Verdict {

    Coverage coverage();

    /** Every promise was kept, and enough happened to say so. */
    record Valid(Coverage coverage) implements Verdict {}

    /** Promises were broken. */
    record Invalid(Coverage coverage, List<Finding> findings) implements Verdict {
        public Invalid {
            findings = List.copyOf(findings);
        }
    }

    /**
     * Nothing can be said: too little happened, or what the promises rest on did not hold.
     *
     * @param findings that the run has nevertheless; they count for nothing, but somebody should look at them
     */
    record Inconclusive(Coverage coverage, List<String> reasons, List<Finding> findings) implements Verdict {
        public Inconclusive {
            reasons = List.copyOf(reasons);
            findings = List.copyOf(findings);
        }
    }
}
