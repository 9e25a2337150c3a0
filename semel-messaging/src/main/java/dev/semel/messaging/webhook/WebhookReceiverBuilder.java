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

    /** What the senders recommend: enough for clocks that differ and queues that are slow. */
    private static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    /** Events are notices, not documents: most senders promise far less. GitHub's may reach 25 MB, rarely. */
    private static final int DEFAULT_BYTES = 1 << 20;

    /** A sender gives up by its own schedule, not by ours. */
    private static final int NEVER = Integer.MAX_VALUE;

    final String sender;
    final WebhookScheme scheme;
    private final SemelEngine semel;
    Duration tolerance = DEFAULT_TOLERANCE;
    int mostBytes = DEFAULT_BYTES;
    InstantSource clock = InstantSource.system();
    private Operation operation =
            Operation.named("webhook").retention(Retention.WEBHOOK).failures(Failures.RETRY);

    WebhookReceiverBuilder(SemelEngine semel, String sender, WebhookScheme scheme) {
        this.semel = semel;
        this.sender = sender;
        this.scheme = scheme;
    }

    /**
     * How events are handled: the name in metrics, how long handled ones are remembered, how long a delivery waits for another
     * that is at it, and what a failure or a crash means. By default they are remembered for 7 days, and a failure releases
     * the event.
     */
    public WebhookReceiverBuilder operation(Operation how) {
        this.operation = how;
        return this;
    }

    /** How far a signature's time may be from now, before or after; 5 minutes unless told. */
    public WebhookReceiverBuilder tolerance(Duration most) {
        this.tolerance = most;
        return this;
    }

    /** How long a body may be; 1 MiB unless told. */
    public WebhookReceiverBuilder mostBytes(int most) {
        this.mostBytes = most;
        return this;
    }

    /** What tells whether a signature is recent; the system's clock unless told. */
    public WebhookReceiverBuilder clock(InstantSource newClock) {
        this.clock = newClock;
        return this;
    }

    /**
     * Makes the receiver.
     *
     * @throws IllegalArgumentException when an event would be forgotten while its sender may still deliver it, or while its
     *     signature is still good; or when nothing could ever be accepted
     */
    public WebhookReceiver build() {
        if (tolerance.isNegative() || tolerance.isZero()) {
            throw new IllegalArgumentException("tolerance is " + tolerance + ", it must be positive");
        }
        if (mostBytes < 1 || mostBytes == Integer.MAX_VALUE) {
            throw new IllegalArgumentException("mostBytes is " + mostBytes + ", it must be positive and fit an array");
        }
        // A signature made by a clock that is ahead is good for twice the tolerance.
        Duration replayable = tolerance.multipliedBy(2);
        Duration least = scheme.retrySpan().compareTo(replayable) > 0 ? scheme.retrySpan() : replayable;
        if (operation.retention().compareTo(least) <= 0) {
            throw new IllegalArgumentException("operation " + operation.name() + " remembers events of " + sender
                    + " for " + operation.retention() + ", but they may be delivered again for " + least
                    + ": choose a longer retention");
        }
        return new WebhookReceiver(
                this,
                Inbox.of(semel, sender, WebhookEvent::letter)
                        .scope(Scope.of("webhook", sender))
                        .operation(operation)
                        .describedBy(event -> "webhook of " + sender)
                        .mostAttempts(NEVER)
                        .build());
    }
}
