package dev.semel.testkit;

import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import dev.semel.testkit.contract.StoreContract;

class MemoryStoreContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    @Override
    protected StoreHarness open() {
        return new MemoryHarness();
    }
}
