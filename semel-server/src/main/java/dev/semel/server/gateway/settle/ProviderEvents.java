package dev.semel.server.gateway.settle;

import dev.semel.Attempt;
import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.Body;
import dev.semel.messaging.webhook.NotAnEventException;
import dev.semel.messaging.webhook.WebhookAnswer;
import dev.semel.messaging.webhook.WebhookEvent;
import dev.semel.messaging.webhook.WebhookReceiver;
import dev.semel.messaging.webhook.WebhookRequest;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import dev.semel.server.gateway.config.WebhookConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The events of a provider that settle unknown outcomes of one operation.
 *
 * <ol>
 *   <li>A delivery is verified over its bytes before anything of it is read, and each event is handled once; the receiver of
 *       {@code semel-messaging} does both.
 *   <li>An event that no rule is about, that names no record of this operation, or another attempt than the last, is
 *       accepted and changes nothing.
 *   <li>An unknown outcome is settled under the fence of the record that was found, so that an attempt which begins meanwhile
 *       is not touched.
 *   <li>While the attempt is in progress, the provider is asked to deliver the event again: the attempt may yet lose its answer.
 * </ol>
 */
public final class ProviderEvents {

    /** Whose evidence it is. */
    public static final String SOURCE = "provider-webhook";

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");
    private static final Pattern FENCE = Pattern.compile("[0-9]{1,18}");

    /** Settling again changes nothing, so that an event whose handling was cut off is handled again. */
    private static final Operation HANDLING = Operation.named("gateway-webhook")
            .retention(Retention.WEBHOOK)
            .failures(Failures.RETRY)
            .reexecutableAfterCrash();

    private static final int SUCCESSFUL = 200;

    private final Operation operation;
    private final WebhookConfig config;
    private final UnknownOutcomes unknowns;
    private final EventSubjects subjects;
    private final WebhookReceiver receiver;

    /** @param operation whose outcomes are settled */
    public ProviderEvents(SemelEngine semel, Operation operation, WebhookConfig config) {
        this.operation = operation;
        this.config = config;
        this.unknowns = semel.unknownOutcomes();
        this.subjects = new EventSubjects(semel, operation.name(), operation.retention(), config.subject());
        this.receiver = WebhookReceiver.of(
                        semel, "gateway/" + operation.name(), config.signing().verifier())
                .operation(HANDLING)
                .build();
    }

    /** Whether names have to be recorded before requests are sent. */
    public boolean namesRequests() {
        return !(config.subject() instanceof WebhookConfig.Subject.ByKey);
    }

    /**
     * Records the name that events will have for a request, before it is sent. Blocks while the store is asked.
     *
     * @throws RuntimeException when it could not be recorded; the request must not be sent
     */
    public void record(Attempt attempt, byte[] body) {
        subjects.record(attempt, body);
    }

    /** Verifies a delivery, and settles what it is about. Blocks while it asks the store. */
    public WebhookAnswer receive(WebhookRequest request) {
        return receiver.receive(request, this::settle);
    }

    private void settle(WebhookEvent event, Attempt delivery) throws NotAnEventException {
        Map<Pointer, byte[]> values = read(event.body());
        Verdict verdict = new RuledContent(config.rules(), SUCCESSFUL, Body.of(event.body()), "application/json")
                .verdict("event " + event.id());
        if (!(verdict instanceof Verdict.Final known)) {
            return;
        }
        Optional<StoredRecord> found =
                subjects.find(values).flatMap(this::recordOf).filter(record -> isAboutLastAttempt(record, values));
        if (found.isEmpty()) {
            LOG.log(System.Logger.Level.DEBUG, "an event of {0} names no attempt that it could settle", config.path());
            return;
        }
        StoredRecord record = found.get();
        if (record.state() == State.UNKNOWN
                && unknowns.settle(record.lease(), operation.retention(), known, SOURCE)
                        instanceof Reconciliation.NotUnknown changed) {
            record = changed.current();
        }
        if (record.state() == State.IN_PROGRESS) {
            delivery.notExecuted("attempt_in_progress");
        } else if (record.state() == State.FAILED_RETRYABLE && known instanceof Verdict.Happened) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "the provider says that the request {0} of {1} happened, but it was settled as not executed: the next"
                            + " request would execute again; stop it, and choose a longer settle window",
                    record.identity(),
                    operation.name());
        }
    }

    private Map<Pointer, byte[]> read(byte[] body) throws NotAnEventException {
        List<Pointer> pointers = new ArrayList<>(subjects.pointers());
        if (config.fence() != null) {
            pointers.add(config.fence());
        }
        try {
            return CanonicalJson.standard()
                    .select(body, pointers)
                    .orElseThrow(() -> new NotAnEventException("it is no JSON that names each member once"));
        } catch (BodyLimitException e) {
            throw new NotAnEventException("its JSON is nested too deeply");
        }
    }

    /** The record with this identity, unless it is that of another operation. */
    private Optional<StoredRecord> recordOf(Identity identity) {
        return unknowns.findSealed(identity).filter(record -> record.operation().equals(operation.name()));
    }

    private boolean isAboutLastAttempt(StoredRecord record, Map<Pointer, byte[]> values) {
        if (config.fence() == null) {
            return true;
        }
        return JsonText.of(values.get(config.fence()))
                .filter(text -> FENCE.matcher(text).matches())
                .filter(text -> Long.parseLong(text) == record.fence())
                .isPresent();
    }
}
