package dev.semel.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which operation is misspelt, and what it was probably meant to be, in place of a stack trace. */
final class UnusedOperationAnalyzer extends AbstractFailureAnalyzer<UnusedOperationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnusedOperationException unused) {
        return new FailureAnalysis(String.valueOf(unused.getMessage()), unused.action(), rootFailure);
    }
}
