package dev.semel.messaging.webhook;

import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.Letter;
import dev.semel.messaging.MessageHandler;
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
 * Handles each event of a sender once, however often it is delivered, and believes nothing that the sender has not signed.
 *
 * <ol>
 *   <li>A body that is too long is not read to its end.
 *   <li>The signature is verified over the bytes as they came, then the time at which it was made. Whatever is wrong with them
 *       has the same answer, and the store is not asked.
 *   <li>The event is claimed by its id. One that was handled is accepted at once; one that is being handled, whose outcome is
 *       unknown, or that the store cannot be asked about, has to come again. Another content under the same id is refused.
 *   <li>A handler that fails releases the event, so that the sender's next delivery runs it again. Failures are not recorded.
 * </ol>
 *
 * <p>Which time it is decides only whether a signature is too old; everything else goes by the store's clock.
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
    private final int mostBytes;
    private final InstantSource clock;
    private final Inbox<WebhookEvent> inbox;

    WebhookReceiver(WebhookReceiverBuilder builder, Inbox<WebhookEvent> inbox) {
        this.sender = builder.sender;
        this.scheme = builder.scheme;
        this.tolerance = builder.tolerance;
        this.mostBytes = builder.mostBytes;
        this.clock = builder.clock;
        this.inbox = inbox;
    }

    /**
     * Starts to configure the receiver of what a sender delivers.
     *
     * @param sender whose ids the events have: part of their records' scope, {@code webhook/SENDER}
     */
    public static WebhookReceiverBuilder of(SemelEngine semel, String sender, WebhookScheme scheme) {
        return new WebhookReceiverBuilder(semel, sender, scheme);
    }

    /** Handles a delivery, unless it is not to be believed or its event was handled before. */
    public WebhookAnswer receive(WebhookRequest request, MessageHandler<? super WebhookEvent> handler) {
        return receive(request, event -> {
            Noted noted = new Noted();
            Delivery delivery = inbox.handle(event, (one, attempt) -> noted.note(() -> handler.handle(one, attempt)));
            return answerTo(delivery, noted);
        });
    }

    /**
     * Like {@link #receive(WebhookRequest, MessageHandler)}, for a body that is yet to be read: no more of it than allowed.
     *
     * @throws IOException when it breaks off; nothing was handled
     */
    public WebhookAnswer receive(
            Map<String, List<String>> headers, InputStream body, MessageHandler<? super WebhookEvent> handler)
            throws IOException {
        return receive(new WebhookRequest(headers, body.readNBytes(mostBytes + 1)), handler);
    }

    /**
     * Handles a delivery in a transaction on a connection of this data source, together with the event's record: both are
     * there, or neither is.
     *
     * @throws UnsupportedOperationException when the store is not in a database
     */
    public WebhookAnswer receiveInTransaction(
            WebhookRequest request, DataSource dataSource, TransactionalHandler<? super WebhookEvent> handler) {
        return receive(request, event -> {
            Noted noted = new Noted();
            Delivery delivery = inbox.handleInTransaction(
                    event,
                    dataSource,
                    (connection, one, attempt) -> noted.note(() -> handler.handle(connection, one, attempt)));
            return answerTo(delivery, noted);
        });
    }

    private WebhookAnswer receive(WebhookRequest request, Function<WebhookEvent, WebhookAnswer> handling) {
        if (request.body().length > mostBytes) {
            return WebhookAnswer.TOO_LARGE;
        }
        if (!(scheme.verify(request) instanceof Verification.Genuine genuine)) {
            return notVerified("it is not signed by its sender");
        }
        Instant signedAt = genuine.signedAt();
        if (signedAt != null && !isRecent(signedAt)) {
            return notVerified("it was signed too long ago, or the clocks differ");
        }
        Letter letter;
        try {
            letter = scheme.letter(request);
        } catch (IllegalArgumentException unusable) {
            return WebhookAnswer.NOT_AN_EVENT;
        }
        return handling.apply(new WebhookEvent(letter, signedAt, request));
    }

    /** For operators who look into it; the sender is not told which of the two it was. */
    private WebhookAnswer notVerified(String why) {
        LOG.log(Level.DEBUG, "a webhook of {0} is not believed: {1}", sender, why);
        return WebhookAnswer.NOT_VERIFIED;
    }

    private boolean isRecent(Instant signedAt) {
        return Duration.between(signedAt, clock.instant()).abs().compareTo(tolerance) <= 0;
    }

    private static WebhookAnswer answerTo(Delivery delivery, Noted noted) {
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
        if (noted.failure instanceof NotAnEventException) {
            return WebhookAnswer.NOT_AN_EVENT;
        }
        if (noted.failure instanceof ConflictingIntentException) {
            return WebhookAnswer.ID_REUSED;
        }
        return noted.failure == null ? WebhookAnswer.NOT_NOW : WebhookAnswer.FAILED;
    }

    /** What a handler threw, besides what became of the event. */
    private static final class Noted {

        private @Nullable Throwable failure;

        interface Handling {
            void run() throws Exception;
        }

        void note(Handling handling) throws Exception {
            try {
                handling.run();
            } catch (Throwable thrown) {
                failure = thrown;
                throw thrown;
            }
        }
    }
}
