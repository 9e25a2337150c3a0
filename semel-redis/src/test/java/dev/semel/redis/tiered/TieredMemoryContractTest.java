package dev.semel.redis.tiered;

import dev.semel.engine.Store;
import dev.semel.memory.MemoryStore;
import dev.semel.testkit.ManualTime;
import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import dev.semel.testkit.contract.StoreContract;
import dev.semel.testsupport.servers.RedisServer;
import dev.semel.testsupport.stores.CountingStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Redis in front of memory: the contract")
class TieredMemoryContractTest extends StoreContract implements ListingContract, HashedKeysContract {

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
    protected StoreHarness open() {
        ManualTime time = new ManualTime();
        CountingStore primary = new CountingStore(new MemoryStore(time));
        FrontRedis redis = new FrontRedis(server);
        TieredStore store = redis.over(primary, time::nanos);
        TieredStore another = redis.over(primary, time::nanos);
        return new StoreHarness() {
            @Override
            public Store store() {
                return store;
            }

            @Override
            public Store another() {
                return another;
            }

            @Override
            public void elapse(Duration duration) {
                time.advance(duration);
            }

            /** Counts the round trips that gave an answer: those of the primary store, and hits in Redis. */
            @Override
            public long roundTrips() {
                return primary.calls() + store.statistics().hits();
            }

            @Override
            public void close() {
                store.close();
                another.close();
                redis.close();
            }
        };
    }
}
