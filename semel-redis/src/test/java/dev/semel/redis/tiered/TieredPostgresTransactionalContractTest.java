package dev.semel.redis.tiered;

import dev.semel.testkit.TransactionalHarness;
import dev.semel.testkit.contract.TransactionalStoreContract;
import dev.semel.testsupport.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Redis in front of PostgreSQL: the contract of transactions")
class TieredPostgresTransactionalContractTest extends TransactionalStoreContract {

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
    protected TransactionalHarness open() {
        return new TieredPostgresHarness(server);
    }
}
