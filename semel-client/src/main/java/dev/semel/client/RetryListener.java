package dev.semel.client;

import java.time.Duration;

/** Somebody who wants to know about retries, to log or to count them. What it throws is logged and changes nothing. */
@FunctionalInterface
public interface RetryListener {

    /**
     * Another attempt will be made.
     *
     * @param attempts that were made so far
     * @param setback why they are not enough
     * @param pause before the next one
     */
    void retrying(String key, int attempts, Setback setback, Duration pause);
}
