package dev.semel.examples.payments;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How tests wait: until the condition holds. The limit is for tests that fail, and long enough for a busy machine. */
public final class Patience {

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(2));
    }
}
