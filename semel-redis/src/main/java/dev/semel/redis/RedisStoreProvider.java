package dev.semel.redis;

import dev.semel.engine.Store;
import dev.semel.engine.StoreProvider;
import java.util.Set;

/** Opens stores in Redis wherever a store is named by its URI. */
public final class RedisStoreProvider implements StoreProvider {

    @Override
    public Set<String> schemes() {
        return RedisUriParser.SCHEMES;
    }

    @Override
    public Store open(String uri) {
        return RedisStore.open(uri);
    }
}
