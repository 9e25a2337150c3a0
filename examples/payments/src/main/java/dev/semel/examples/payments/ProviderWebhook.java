package dev.semel.examples.payments;

import dev.semel.Evidence;
import dev.semel.Identity;
import dev.semel.Reconciliation;
import dev.semel.Semel;
import dev.semel.State;
import dev.semel.UnknownOutcomes;
import dev.semel.Verdict;
import dev.semel.examples.payments.provider.WebhookSigner;
import dev.semel.spring.Operations;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Hears from the provider what it charged and declined, and settles payments whose outcome is unknown.
 *
 * <ol>
 *   <li>Nothing is read of an event before its signature is verified, over the bytes as they came.
 *   <li>An event may come twice, late, or together with the answer of the poller: whoever comes first settles, and the
 *       others find nothing to do. All are thanked, so that the provider does not send them again.
 *   <li>An event about a payment that is still running is sent back for later: its answer may yet get lost.
 *   <li>An event counts only for the payment whose derived key it names: a reference alone can be anybody's.
 * </ol>
 */
@RestController
class ProviderWebhook {

    private static final System.Logger LOG = System.getLogger(ProviderWebhook.class.getName());

    /** What the specification recommends: enough for clocks that differ and queues that are slow. */
    private static final Duration OLDEST = Duration.ofMinutes(5);

    private final Semel semel;
    private final Operations operations;
    private final PaymentOutcomes outcomes;
    private final WebhookSigner signer;
    private final JsonMapper json;
    private final InstantSource clock = InstantSource.system();

    ProviderWebhook(
            Semel semel,
            Operations operations,
            PaymentOutcomes outcomes,
            PaymentsProperties properties,
            JsonMapper json) {
        this.semel = semel;
        this.operations = operations;
        this.outcomes = outcomes;
        this.signer = WebhookSigner.of(properties.webhookSecret());
        this.json = json;
    }

    @PostMapping("/webhooks/provider")
    ResponseEntity<String> receive(
            @RequestHeader("webhook-id") String id,
            @RequestHeader("webhook-timestamp") long timestamp,
            @RequestHeader("webhook-signature") String signatures,
            @RequestBody byte[] body) {
        if (!isRecent(timestamp) || !isSigned(id, timestamp, signatures, body)) {
            return answer(HttpStatus.UNAUTHORIZED, "signature or timestamp are not right");
        }
        Charge charge;
        try {
            JsonNode event = json.readTree(body);
            charge = Charge.of(event.required("data"));
        } catch (JacksonException e) {
            return answer(HttpStatus.BAD_REQUEST, "not an event of this provider");
        }
        Identity identity = identityOf(charge);
        return identity == null || !charge.isDecided()
                ? answer(HttpStatus.OK, "nothing to settle here")
                : settle(identity, charge, id);
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

    private ResponseEntity<String> settle(Identity identity, Charge charge, String eventId) {
        UnknownOutcomes unknown = semel.unknownOutcomes();
        Reconciliation settled = semel.settle(
                operations.named("create-payment"),
                identity,
                new Verdict.Happened(
                        outcomes.answerTo(identity, purpose -> unknown.downstreamKey(identity, purpose), charge)),
                new Evidence("provider-webhook", charge.status() + " as " + charge.id() + ", event " + eventId));
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
        return state == State.IN_PROGRESS || state == State.FAILED_RETRYABLE
                ? answer(HttpStatus.SERVICE_UNAVAILABLE, "not yet; send this again later")
                : answer(HttpStatus.OK, "thank you");
    }

    private boolean isRecent(long timestamp) {
        long now = clock.instant().getEpochSecond();
        return timestamp >= now - OLDEST.toSeconds() && timestamp <= now + OLDEST.toSeconds();
    }

    /** The header may list several signatures, while the provider changes its secret. */
    private boolean isSigned(String id, long timestamp, String signatures, byte[] body) {
        byte[] expected = signer.sign(id, timestamp, body).getBytes(StandardCharsets.UTF_8);
        boolean matches = false;
        for (String signature : signatures.split(" ", -1)) {
            matches |= MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8));
        }
        return matches;
    }

    private static ResponseEntity<String> answer(HttpStatus status, @Nullable String text) {
        return ResponseEntity.status(status).body(text);
    }
}
