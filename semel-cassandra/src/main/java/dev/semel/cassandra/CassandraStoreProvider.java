package dev.semel.cassandra;

import dev.semel.engine.Store;
import dev.semel.engine.StoreProvider;
import java.util.Set;

/** Opens stores in Cassandra by their URIs. */
public final class CassandraStoreProvider implements StoreProvider {

    @Override
    public Set<String> schemes() {
        return Set.of(CassandraUri.SCHEME);
    }

    @Override
    public Store open(String uri) {
        return CassandraStore.open(CassandraUri.parse(uri));
    }
}
