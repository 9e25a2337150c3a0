package dev.semel.examples.payments;

import dev.semel.Attempt;
import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.webhook.NotAnEventException;
import dev.semel.messaging.webhook.StandardWebhooks;
import dev.semel.messaging.webhook.WebhookEvent;
import dev.semel.messaging.webhook.WebhookReceiver;
import dev.semel.messaging.webhook.spring.WebhookFunction;
import dev.semel.reconcile.Reconciliation;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.Verdict;
import dev.semel.spring.Operations;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Hears from the provider what it charged and declined, and settles payments whose outcome is unknown.
 *
 * <ol>
 *   <li>The receiver believes nothing without the provider's signature, and hands each event over once.
 *   <li>An event may come late, or together with the answer of the poller: whoever comes first settles, and the others find
 *       nothing to do.
 *   <li>An event about a payment that is still running is sent back for later: its answer may yet get lost.
 *   <li>An event counts only for the payment whose derived key it names: a reference alone can be anybody's.
 * </ol>
 */
@Configuration(proxyBeanMethods = false)
class ProviderWebhook {

    private static final System.Logger LOG = System.getLogger(ProviderWebhook.class.getName());

    /** Settling what is settled changes nothing, so an event whose handling was cut short is simply handled again. */
    private static final Operation HEAR = Operation.named("hear-provider")
            .retention(Retention.WEBHOOK)
            .failures(Failures.RETRY)
            .reexecutableAfterCrash();

    private final SemelEngine semel;
    private final Operations operations;
    private final PaymentOutcomes outcomes;
    private final JsonMapper json;

    ProviderWebhook(SemelEngine semel, Operations operations, PaymentOutcomes outcomes, JsonMapper json) {
        this.semel = semel;
        this.operations = operations;
        this.outcomes = outcomes;
        this.json = json;
    }

    @Bean
    RouterFunction<ServerResponse> providerWebhooks(PaymentsProperties properties) {
        WebhookReceiver receiver = WebhookReceiver.of(
                        semel, "provider", StandardWebhooks.signedWith(properties.webhookSecret()))
                .operation(HEAR)
                .build();
        return RouterFunctions.route()
                .POST("/webhooks/provider", new WebhookFunction(receiver, this::hear))
                .build();
    }

    private void hear(WebhookEvent event, Attempt attempt) {
        Charge charge;
        try {
            JsonNode read = json.readTree(event.body());
            charge = Charge.of(read.required("data"));
        } catch (JacksonException e) {
            throw new NotAnEventException("not an event of this provider", e);
        }
        Identity identity = identityOf(charge);
        if (identity != null && charge.isDecided()) {
            settle(identity, charge, event.id(), attempt);
        }
    }

    private @Nullable Identity identityOf(Charge charge) {
        if (charge.account() == null || charge.reference() == null) {
            return null;
        }
        try {
            Identity identity = Identity.of(charge.account(), charge.reference());
            return charge.key().equals(semel.unknownOutcomes().downstreamKey(identity, "charge")) ? identity : null;
        } catch (IllegalArgumentException notAKey) {
            return null;
        }
    }

    private void settle(Identity identity, Charge charge, String eventId, Attempt attempt) {
        UnknownOutcomes unknown = semel.unknownOutcomes();
        Reconciliation settled = unknown.settle(
                identity,
                operations.named("create-payment").retention(),
                new Verdict.Happened(
                        outcomes.answerTo(identity, purpose -> unknown.downstreamKey(identity, purpose), charge),
                        charge.status() + " as " + charge.id() + ", event " + eventId),
                "provider-webhook");
        State state = settled instanceof Reconciliation.NotUnknown other
                ? other.current().state()
                : State.COMPLETED;
        if (state == State.FAILED_RETRYABLE) {
            LOG.log(
                    Level.ERROR,
                    "{0} was {1} although it was settled that it did not happen: the settle window is too short",
                    identity,
                    charge.status());
        }
        if (state == State.IN_PROGRESS || state == State.FAILED_RETRYABLE) {
            attempt.notExecuted("not_yet");
        }
    }
}
