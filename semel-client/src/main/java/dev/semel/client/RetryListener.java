package dev.semel.client;

import java.time.Duration;

/** A listener that is called before each retry, for logs and metrics. Its exceptions are logged and have no other effect. */
@FunctionalInterface
public interface RetryListener {

    /**
     * Called before the pause that precedes another attempt.
     *
     * @param attempts the number of attempts so far
     * @param setback why the last one got no answer
     * @param pause before the next attempt
     */
    void retrying(String key, int attempts, Setback setback, Duration pause);
}
