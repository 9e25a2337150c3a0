package dev.semel.redis;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.LateRetryContract;
import dev.semel.testsupport.servers.RedisCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Late retries, records in a Redis Cluster of three primaries")
class RedisClusterLateRetryTest extends LateRetryContract {

    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 0);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    protected StoreHarness open(Duration tombstones) {
        return new RedisHarness(cluster.uri() + "?shards=12", cluster.nodes(), tombstones);
    }
}
