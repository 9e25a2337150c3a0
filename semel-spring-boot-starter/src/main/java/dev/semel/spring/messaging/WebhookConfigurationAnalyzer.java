package dev.semel.spring.messaging;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a wrong configuration of webhooks without a stack trace. */
final class WebhookConfigurationAnalyzer extends AbstractFailureAnalyzer<WebhookConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, WebhookConfigurationException wrong) {
        return new FailureAnalysis(wrong.description(), wrong.action(), rootFailure);
    }
}
