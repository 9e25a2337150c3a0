package dev.semel.messaging;

import java.time.Duration;

/**
 * How long a message that has to come again is kept back: brokers deliver it at once, and it would spin between them and
 * its consumer.
 */
public record RedeliveryPause(Duration duration) {

    /** A minute: brokers take a consumer that keeps a message for much longer for a dead one. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** What is in the way, a restarting store or another consumer, takes seconds; a look every second costs nobody much. */
    public static final RedeliveryPause DEFAULT = new RedeliveryPause(Duration.ofSeconds(1));

    /** For brokers that wait themselves before they deliver a message again. */
    public static final RedeliveryPause NONE = new RedeliveryPause(Duration.ZERO);

    public RedeliveryPause {
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "the pause before a redelivery is " + duration + ", it must be between PT0S and " + LONGEST);
        }
    }

    /** Waits on this thread, for consumers that may answer their broker on no other; an interruption ends it. */
    public void await() {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
