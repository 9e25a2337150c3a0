package dev.semel.messaging.brokers;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * How tests wait for what a broker does: no longer than it takes. The limit only ends a test that has failed, and leaves a busy
 * machine enough time.
 */
public final class Patience {

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(4)).pollInterval(Duration.ofMillis(20));
    }
}
