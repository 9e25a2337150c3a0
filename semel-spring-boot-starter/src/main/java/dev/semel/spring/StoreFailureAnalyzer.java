package dev.semel.spring;

import dev.semel.StoreException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains why an application cannot start with its store, instead of a stack trace. Messages of stores say what is wrong and
 * what to do.
 */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreException fault) {
        return new FailureAnalysis(
                "The store of idempotency records cannot be used:\n\n    " + fault.getMessage(),
                actionFor(fault),
                rootFailure);
    }

    private static String actionFor(StoreException fault) {
        return fault instanceof StoreChoiceException choice
                ? choice.action()
                : "Follow the message; `semel doctor --store URI` checks a store completely. To use another store, set the"
                        + " property semel.store.";
    }
}
