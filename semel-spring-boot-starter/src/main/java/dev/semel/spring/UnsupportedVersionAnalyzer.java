package dev.semel.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which starter the application needs, instead of a stack trace. */
final class UnsupportedVersionAnalyzer extends AbstractFailureAnalyzer<UnsupportedVersionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedVersionException refused) {
        return new FailureAnalysis(String.valueOf(refused.getMessage()), null, rootFailure);
    }
}
