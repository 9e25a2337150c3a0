package dev.semel.redis;

import java.util.List;

/** Looks at the settings of a Redis, also of one that a store would refuse. */
public final class RedisDoctor {

    private RedisDoctor() {}

    /**
     * What there is to say about each server that takes writes, the good and the bad.
     *
     * @throws dev.semel.StoreException when Redis cannot be reached
     */
    public static List<RedisFinding> examine(RedisUri uri) {
        try (Link link = Link.open(uri)) {
            return RedisStartup.findings(link);
        }
    }
}
