package dev.semel.testkit;

import dev.semel.engine.Store;
import dev.semel.memory.MemoryStore;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import java.time.Duration;

class MemoryStoreContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    @Override
    protected StoreHarness open() {
        ManualTime time = new ManualTime();
        CountingStore store = new CountingStore(new MemoryStore(time));
        return new StoreHarness() {
            @Override
            public Store store() {
                return store;
            }

            @Override
            public Store another() {
                return store;
            }

            @Override
            public void elapse(Duration duration) {
                time.advance(duration);
            }

            @Override
            public long roundTrips() {
                return store.calls();
            }

            @Override
            public void close() {
                store.close();
            }
        };
    }
}
