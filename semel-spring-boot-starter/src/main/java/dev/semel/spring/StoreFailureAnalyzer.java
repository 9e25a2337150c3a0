package dev.semel.spring;

import dev.semel.StoreException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says why an application cannot start on its store, in place of a stack trace. Stores' messages say what is wrong and what
 * would be right.
 */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreException fault) {
        return new FailureAnalysis(
                "The store that idempotency records are kept in cannot be used:\n\n    " + fault.getMessage(),
                actionFor(fault),
                rootFailure);
    }

    private static String actionFor(StoreException fault) {
        return fault instanceof StoreChoiceException choice
                ? choice.action()
                : "Do as it says; `semel doctor --store URI` checks a store in every respect. To keep records elsewhere,"
                        + " set the property semel.store.";
    }
}
