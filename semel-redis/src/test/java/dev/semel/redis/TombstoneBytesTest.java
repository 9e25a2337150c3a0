package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation.LateRetries;
import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.FirstUse;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Tombstones in Redis")
class TombstoneBytesTest {

    private static final int MANY = 2_000;

    private static long usedMemory(RedisServer server) {
        return Long.parseLong(server.info("memory", "used_memory_dataset"));
    }

    @Test
    @DisplayName("take few bytes each")
    void take_few_bytes_each() {
        try (RedisServer server = RedisServer.start();
                RedisHarness harness = new RedisHarness(server.uri(), List.of(server), Duration.ofDays(30))) {
            Store store = harness.store();
            long before = usedMemory(server);
            String last = "";
            for (int i = 0; i < MANY; i++) {
                last = UUID.randomUUID().toString();
                ClaimAnswer.Granted granted =
                        (ClaimAnswer.Granted) StoreVerbs.await(store.claim(StoreVerbs.request(last)));
                StoreVerbs.await(
                        store.settle(granted.lease(), StoreVerbs.completed("x".repeat(200)), Duration.ofHours(1)));
            }
            harness.elapse(Duration.ofHours(2));
            int deleted = 0;
            while (deleted < MANY) {
                deleted += store.prune(1_000, Expiry.DELETE);
            }
            long each = (usedMemory(server) - before) / MANY;
            System.out.println("bytes per tombstone, Redis: " + each);
            assertThat(each).isBetween(16L, 400L);
            assertThat(StoreVerbs.await(store.claim(StoreVerbs.request(last)
                            .withFirstUse(FirstUse.of(null, Duration.ofHours(1), LateRetries.BY_KEY)))))
                    .isInstanceOf(ClaimAnswer.TooLate.class);
        }
    }
}
