package dev.semel.redis.tiered;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.ClockContract;
import dev.semel.testkit.contract.RetentionContract;
import dev.semel.testkit.contract.WalkContract;
import dev.semel.testsupport.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;

/** The parts of the contract that depend on time, with a real server's clock, and a random walk through all verbs. */
@DisplayName("Redis in front of PostgreSQL: the contract")
class TieredPostgresContractTest implements ClockContract, RetentionContract, WalkContract {

    private static RedisServer server;

    private TieredPostgresHarness harness;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        harness = new TieredPostgresHarness(server);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Override
    public StoreHarness harness() {
        return harness;
    }
}
