package dev.semel.messaging.brokers;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * How tests wait for a broker. The limit only ends a test that has failed, and is long enough for a busy machine.
 */
public final class Patience {

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(4)).pollInterval(Duration.ofMillis(20));
    }
}
