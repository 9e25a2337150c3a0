package dev.semel.server.gateway.config;

import java.time.Duration;

/**
 * The store of a gateway.
 *
 * @param pruneEvery how often records past their retention are deleted
 */
public record StoreConfig(String uri, Duration pruneEvery) {

    /** Expired records cost space only, so that there is no hurry. */
    static final Duration DEFAULT_PRUNE_EVERY = Duration.ofMinutes(10);

    /** A store that is pruned as often as usual. */
    public StoreConfig(String uri) {
        this(uri, DEFAULT_PRUNE_EVERY);
    }
}
