package dev.semel.redis.doctor;

import dev.semel.testsupport.servers.RedisCluster;
import dev.semel.testsupport.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Repairing a Redis Cluster:")
class RedisClusterRepairTest extends RepairCases {

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
    String uri() {
        return cluster.uri() + "?shards=12";
    }

    @Override
    List<RedisServer> servers() {
        return cluster.nodes();
    }
}
