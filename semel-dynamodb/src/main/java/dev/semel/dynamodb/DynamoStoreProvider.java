package dev.semel.dynamodb;

import dev.semel.engine.Store;
import dev.semel.engine.StoreProvider;
import java.util.Set;

/** Opens stores in DynamoDB by their URIs. */
public final class DynamoStoreProvider implements StoreProvider {

    @Override
    public Set<String> schemes() {
        return Set.of(DynamoUri.SCHEME);
    }

    @Override
    public Store open(String uri) {
        return DynamoStore.open(DynamoUri.parse(uri));
    }
}
