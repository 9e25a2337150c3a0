package dev.semel.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Names the misspelt operation and the most similar existing one, instead of a stack trace. */
final class UnusedOperationAnalyzer extends AbstractFailureAnalyzer<UnusedOperationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnusedOperationException unused) {
        return new FailureAnalysis(String.valueOf(unused.getMessage()), unused.action(), rootFailure);
    }
}
