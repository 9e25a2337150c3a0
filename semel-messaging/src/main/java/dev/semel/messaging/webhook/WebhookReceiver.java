package dev.semel.messaging.webhook;

import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.MessageIdentity;
import dev.semel.messaging.TransactionalHandler;
import dev.semel.messaging.alias.ConflictingIntentException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the deliveries of a sender, and handles each event once, however often it is delivered.
 *
 * <ol>
 *   <li>A body that is too long is not read to its end.
 *   <li>The signature is verified over the received bytes, then its age. Both failures have the same answer, and the store is
 *       not called.
 *   <li>The event is claimed by its id. A handled event is accepted at once. When another delivery is being handled, the
 *       outcome is unknown or the store is unavailable, the answer asks the sender to deliver it again. Other content under a used id
 *       is refused.
 *   <li>A handler that fails releases the event, so the sender's next delivery calls it again. Failures are not recorded.
 * </ol>
 *
 * <p>The local clock decides only whether a signature is too old; everything else uses the store's clock.
 *
 * <pre>{@code
 * WebhookReceiver receiver = WebhookReceiver.of(semel, "billing", StripeWebhooks.signedWith(secret)).build();
 * WebhookAnswer answer = receiver.receive(request, (event, attempt) -> invoices.paid(event.body()));
 * }</pre>
 */
public final class WebhookReceiver {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging");

    private final String sender;
    private final WebhookScheme scheme;
    private final Duration tolerance;
    private final int maxBytes;
    private final InstantSource clock;
    private final Inbox<WebhookEvent> inbox;

    WebhookReceiver(WebhookReceiverBuilder builder, Inbox<WebhookEvent> inbox) {
        this.sender = builder.sender;
        this.scheme = builder.scheme;
        this.tolerance = builder.tolerance;
        this.maxBytes = builder.maxBytes;
        this.clock = builder.clock;
        this.inbox = inbox;
    }

    /**
     * Starts to configure the receiver of a sender's deliveries.
     *
     * @param sender a name for the sender, part of the records' scope: {@code webhook/SENDER}
     */
    public static WebhookReceiverBuilder of(SemelEngine semel, String sender, WebhookScheme scheme) {
        return new WebhookReceiverBuilder(semel, sender, scheme);
    }

    /** Verifies a delivery, and handles its event unless it was handled before. */
    public WebhookAnswer receive(WebhookRequest request, MessageHandler<? super WebhookEvent> handler) {
        return receive(request, event -> {
            FailureCapture capture = new FailureCapture();
            Delivery delivery =
                    inbox.handle(event, (received, attempt) -> capture.run(() -> handler.handle(received, attempt)));
            return answerTo(delivery, capture);
        });
    }

    /**
     * Like {@link #receive(WebhookRequest, MessageHandler)}; reads the body, and no more of it than the limit.
     *
     * @throws IOException when reading fails; nothing was handled
     */
    public WebhookAnswer receive(
            Map<String, List<String>> headers, InputStream body, MessageHandler<? super WebhookEvent> handler)
            throws IOException {
        return receive(new WebhookRequest(headers, body.readNBytes(maxBytes + 1)), handler);
    }

    /**
     * Handles a delivery in a transaction on a connection of this data source. The effect and the event's record commit
     * together.
     *
     * @throws UnsupportedOperationException when the store has no transactions
     */
    public WebhookAnswer receiveInTransaction(
            WebhookRequest request, DataSource dataSource, TransactionalHandler<? super WebhookEvent> handler) {
        return receive(request, event -> {
            FailureCapture capture = new FailureCapture();
            Delivery delivery = inbox.handleInTransaction(
                    event,
                    dataSource,
                    (connection, received, attempt) ->
                            capture.run(() -> handler.handle(connection, received, attempt)));
            return answerTo(delivery, capture);
        });
    }

    private WebhookAnswer receive(WebhookRequest request, Function<WebhookEvent, WebhookAnswer> handling) {
        if (request.body().length > maxBytes) {
            return WebhookAnswer.TOO_LARGE;
        }
        if (!(scheme.verify(request) instanceof Verification.Genuine genuine)) {
            return notVerified("its signature is missing or invalid");
        }
        Instant signedAt = genuine.signedAt();
        if (signedAt != null && !isRecent(signedAt)) {
            return notVerified("its signature is older or newer than the tolerance, or the clocks differ");
        }
        MessageIdentity identity;
        try {
            identity = scheme.identity(request);
        } catch (IllegalArgumentException unusable) {
            return WebhookAnswer.NOT_AN_EVENT;
        }
        return handling.apply(new WebhookEvent(identity, signedAt, request));
    }

    /** The reason is logged for operators; the answer does not reveal it. */
    private WebhookAnswer notVerified(String why) {
        LOG.log(Level.DEBUG, "a webhook of {0} was refused: {1}", sender, why);
        return WebhookAnswer.NOT_VERIFIED;
    }

    private boolean isRecent(Instant signedAt) {
        return Duration.between(signedAt, clock.instant()).abs().compareTo(tolerance) <= 0;
    }

    private static WebhookAnswer answerTo(Delivery delivery, FailureCapture capture) {
        if (delivery instanceof Delivery.Acknowledge acknowledged) {
            return acknowledged.duplicate() ? WebhookAnswer.DUPLICATE : WebhookAnswer.HANDLED;
        }
        if (delivery instanceof Delivery.DeadLetter dead) {
            return switch (dead.reason()) {
                case Delivery.DeadLetter.ID_INVALID -> WebhookAnswer.NOT_AN_EVENT;
                case Delivery.DeadLetter.ID_REUSED -> WebhookAnswer.ID_REUSED;
                default -> WebhookAnswer.GIVEN_UP;
            };
        }
        if (capture.failure instanceof NotAnEventException) {
            return WebhookAnswer.NOT_AN_EVENT;
        }
        if (capture.failure instanceof ConflictingIntentException) {
            return WebhookAnswer.ID_REUSED;
        }
        return capture.failure == null ? WebhookAnswer.NOT_NOW : WebhookAnswer.FAILED;
    }

    /** Remembers what a handler threw, which the inbox does not rethrow. */
    private static final class FailureCapture {

        private @Nullable Throwable failure;

        interface HandlerCall {
            void run() throws Exception;
        }

        void run(HandlerCall call) throws Exception {
            try {
                call.run();
            } catch (Throwable thrown) {
                failure = thrown;
                throw thrown;
            }
        }
    }
}
