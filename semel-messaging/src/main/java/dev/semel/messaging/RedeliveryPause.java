package dev.semel.messaging;

import java.time.Duration;

/**
 * The pause before a consumer returns a message for redelivery. Brokers redeliver at once; without a pause the message would
 * loop between broker and consumer.
 */
public record RedeliveryPause(Duration duration) {

    /** A minute: brokers consider a consumer dead that holds a message for much longer. */
    private static final Duration MAX = Duration.ofMinutes(1);

    /** A second: a store's restart or another consumer's attempt takes seconds, and one claim per second costs little. */
    public static final RedeliveryPause DEFAULT = new RedeliveryPause(Duration.ofSeconds(1));

    /** No pause, for brokers that have a redelivery delay of their own. */
    public static final RedeliveryPause NONE = new RedeliveryPause(Duration.ZERO);

    public RedeliveryPause {
        if (duration.isNegative() || duration.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(
                    "the pause before a redelivery is " + duration + ", it must be between PT0S and " + MAX);
        }
    }

    /** Blocks the calling thread, for consumers that must answer their broker on that thread; an interruption ends it. */
    public void await() {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
