package dev.semel.redis.doctor;

import dev.semel.testsupport.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Repairing a Redis:")
class RedisRepairTest extends RepairCases {

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
    String uri() {
        return server.uri();
    }

    @Override
    List<RedisServer> servers() {
        return List.of(server);
    }
}
