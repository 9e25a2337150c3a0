package dev.semel.redis;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.LateRetryContract;
import dev.semel.testsupport.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Late retries, records in Redis")
class RedisLateRetryTest extends LateRetryContract {

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
    protected StoreHarness open(Duration tombstones) {
        return new RedisHarness(server.uri(), List.of(server), tombstones);
    }
}
