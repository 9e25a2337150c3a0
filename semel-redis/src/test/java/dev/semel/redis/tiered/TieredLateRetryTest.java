package dev.semel.redis.tiered;

import dev.semel.testkit.TransactionalHarness;
import dev.semel.testkit.contract.TransactionalLateRetryContract;
import dev.semel.testsupport.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Late retries, Redis in front of PostgreSQL")
class TieredLateRetryTest extends TransactionalLateRetryContract {

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
    protected TransactionalHarness open(Duration tombstones) {
        return new TieredPostgresHarness(server, tombstones);
    }
}
