package dev.semel.torture.net;

import dev.semel.jdbc.Stores;
import dev.semel.redis.RedisStore;
import dev.semel.redis.RedisUri;
import dev.semel.spi.ReconcilableStore;

/** Opens stores of every kind from URIs. */
public final class AnyStore {

    private AnyStore() {}

    /**
     * Opens the store that a URI names.
     *
     * @throws dev.semel.StoreException when the store cannot be opened
     */
    public static ReconcilableStore open(String uri) {
        return RedisUri.isRedis(uri) ? RedisStore.open(uri) : Stores.open(uri);
    }
}
