package scoreboard;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The effect that every adapter protects: a payment that takes 20 ms and is counted. */
public final class Payments {

    public static final AtomicLong COUNT = new AtomicLong();

    private Payments() {}

    public static Map<String, String> pay() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return Map.of("id", "pay_" + (100_000 + COUNT.incrementAndGet()));
    }
}
