package dev.semel.redis.doctor;

import dev.semel.redis.connection.Link;
import dev.semel.redis.uri.RedisUri;
import java.util.List;

/** Checks the settings of a Redis, also of one that a store would refuse. */
public final class RedisDoctor {

    private RedisDoctor() {}

    /**
     * Returns what was found about each server that takes writes, good and bad.
     *
     * @throws dev.semel.StoreException when Redis cannot be reached
     */
    public static List<RedisFinding> examine(RedisUri uri) {
        try (Link link = Link.open(uri)) {
            return StartupCheck.findings(link);
        }
    }
}
