package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import dev.semel.testkit.contract.StoreContract;
import dev.semel.testsupport.servers.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Redis Cluster of three primaries: the contract")
class RedisClusterContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    /** Few enough to query quickly, and enough for every primary to have some. */
    private static final int SHARDS = 12;

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
    protected StoreHarness open() {
        return new RedisHarness(cluster.uri() + "?shards=" + SHARDS, cluster.nodes());
    }

    @Test
    @DisplayName("a verb on many records runs one script on each shard, and one more on each shard with due records")
    @Override
    public void round_trips_of_reconciliation() {
        for (int i = 0; i < 3; i++) {
            granted("k" + i);
        }
        expireLeases();
        long before = harness().roundTrips();
        sweep(100);
        assertThat(harness().roundTrips() - before).isBetween(SHARDS + 1L, SHARDS + 3L);
    }
}
