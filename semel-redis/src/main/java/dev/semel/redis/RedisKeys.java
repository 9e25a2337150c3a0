package dev.semel.redis;

/** Which keys a store has in Redis, in words for whoever looks after the server. */
public final class RedisKeys {

    private RedisKeys() {}

    /** Every key, what its user must be allowed, and which settings the server needs. */
    public static String description() {
        return Scripts.read("keys.txt");
    }
}
