package dev.semel.redis;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import dev.semel.testkit.contract.StoreContract;
import dev.semel.testsupport.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Redis: the contract")
class RedisStoreContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected StoreHarness open() {
        return new RedisHarness(server.uri(), List.of(server));
    }
}
