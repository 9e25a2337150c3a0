package dev.semel.messaging.brokers;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How tests wait for what a broker does: long enough for a busy machine, and no longer than it takes. */
public final class Patience {

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(50)).pollInterval(Duration.ofMillis(20));
    }
}
