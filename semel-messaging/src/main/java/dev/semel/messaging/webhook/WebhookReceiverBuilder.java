package dev.semel.messaging.webhook;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import java.time.Duration;
import java.time.InstantSource;

/** Configures a {@link WebhookReceiver}. */
public final class WebhookReceiverBuilder {

    /** As senders recommend: enough for clock differences and slow queues. */
    private static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    /** Most senders' events are far smaller. GitHub's may reach 25 MB, rarely. */
    private static final int DEFAULT_BYTES = 1 << 20;

    /** The sender's retry schedule decides when delivery ends. */
    private static final int UNLIMITED = Integer.MAX_VALUE;

    final String sender;
    final WebhookScheme scheme;
    private final SemelEngine semel;
    Duration tolerance = DEFAULT_TOLERANCE;
    int maxBytes = DEFAULT_BYTES;
    InstantSource clock = InstantSource.system();
    private Operation operation =
            Operation.named("webhook").retention(Retention.WEBHOOK).failures(Failures.RETRY);

    WebhookReceiverBuilder(SemelEngine semel, String sender, WebhookScheme scheme) {
        this.semel = semel;
        this.sender = sender;
        this.scheme = scheme;
    }

    /**
     * The policy: the name in metrics, the retention of handled events, how long a duplicate waits for a delivery that is being
     * handled, and what a failure or a crash means. By default the retention is 7 days, and a failure releases the event.
     */
    public WebhookReceiverBuilder operation(Operation policy) {
        this.operation = policy;
        return this;
    }

    /** The largest accepted difference between a signature's time and now, before or after; 5 minutes by default. */
    public WebhookReceiverBuilder tolerance(Duration difference) {
        this.tolerance = difference;
        return this;
    }

    /** The largest accepted body; 1 MiB by default. */
    public WebhookReceiverBuilder maxBytes(int bytes) {
        this.maxBytes = bytes;
        return this;
    }

    /** The clock that decides whether a signature is recent; the system's by default. */
    public WebhookReceiverBuilder clock(InstantSource newClock) {
        this.clock = newClock;
        return this;
    }

    /**
     * Builds the receiver.
     *
     * @throws IllegalArgumentException when the retention is not longer than the time in which the sender may deliver the event
     *     or the signature is accepted; or when tolerance or maximum size would refuse every delivery
     */
    public WebhookReceiver build() {
        if (tolerance.isNegative() || tolerance.isZero()) {
            throw new IllegalArgumentException("tolerance is " + tolerance + ", it must be positive");
        }
        if (maxBytes < 1 || maxBytes == Integer.MAX_VALUE) {
            throw new IllegalArgumentException("maxBytes is " + maxBytes + ", it must be between 1 and 2147483646");
        }
        // A signature made by a clock that is ahead is accepted for twice the tolerance.
        Duration replayable = tolerance.multipliedBy(2);
        Duration least = scheme.retrySpan().compareTo(replayable) > 0 ? scheme.retrySpan() : replayable;
        if (operation.retention().compareTo(least) <= 0) {
            throw new IllegalArgumentException("the operation " + operation.name() + " has a retention of "
                    + operation.retention() + ", but events of " + sender + " may be delivered again for " + least
                    + ": choose a longer retention");
        }
        return new WebhookReceiver(
                this,
                Inbox.of(semel, sender, WebhookEvent::identity)
                        .scope(Scope.of("webhook", sender))
                        .operation(operation)
                        .describedBy(event -> "webhook of " + sender)
                        .maxAttempts(UNLIMITED)
                        .build());
    }
}
