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
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
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
 * Receives the provider's webhooks about charges and declines: marks the order of a charge as paid, and settles payments whose
 * outcome is unknown.
 *
 * <ol>
 *   <li>The receiver checks the provider's signature, and passes each event on once.
 *   <li>Webhook and reconciler may find the outcome at the same time: the first one settles, the other changes nothing.
 *   <li>An event about a payment that is still running is refused, so that the provider sends it again: its answer may yet get
 *       lost.
 *   <li>An event counts only for the payment whose derived key it names, since any client can choose the same reference.
 * </ol>
 */
@Configuration(proxyBeanMethods = false)
class ProviderWebhook {

    private static final System.Logger LOG = System.getLogger(ProviderWebhook.class.getName());

    /** Booking and settling twice changes nothing, so an event whose handling crashed is handled again. */
    private static final Operation HANDLE_EVENT = Operation.named("hear-provider")
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
                .operation(HANDLE_EVENT)
                .build();
        return RouterFunctions.route()
                .POST("/webhooks/provider", new WebhookFunction(receiver, this::handle))
                .build();
    }

    private void handle(WebhookEvent event, Attempt attempt) {
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
                    "payment {0} {1}, but it was settled as not executed: the settle window is too short",
                    identity,
                    charge.status());
        }
        if (state == State.IN_PROGRESS || state == State.FAILED_RETRYABLE) {
            attempt.notExecuted("not_yet");
        }
    }
}
