package dev.semel.redis;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.NoClearKeyContract;
import dev.semel.testkit.contract.NoClearValueContract;
import dev.semel.testsupport.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Redis: hashed keys")
class RedisHashedKeysTest implements NoClearKeyContract, NoClearValueContract {

    private RedisServer server;
    private RedisHarness harness;

    @BeforeEach
    void open() {
        server = RedisServer.start();
        harness = new RedisHarness(server.uri(), List.of(server));
    }

    @AfterEach
    void close() {
        harness.close();
        server.close();
    }

    @Override
    public StoreHarness harness() {
        return harness;
    }

    @Override
    public List<byte[]> storage() {
        return StoredValues.in(harness.link());
    }
}
