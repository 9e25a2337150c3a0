package dev.semel.redis;

import dev.semel.engine.Store;
import dev.semel.engine.StoreProvider;
import dev.semel.redis.uri.RedisUri;
import java.util.Set;

/** Opens stores in Redis by their URIs. */
public final class RedisStoreProvider implements StoreProvider {

    @Override
    public Set<String> schemes() {
        return RedisUri.schemes();
    }

    @Override
    public Store open(String uri) {
        return RedisStore.open(uri);
    }
}
