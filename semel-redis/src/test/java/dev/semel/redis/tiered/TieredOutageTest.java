package dev.semel.redis.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.redis.uri.RedisUri;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Redis in front of PostgreSQL: outages of Redis")
class TieredOutageTest {

    private final RedisServer server = RedisServer.start();
    private final RedisUri uri = RedisUri.parse(server.uri());
    private final PrimaryPostgres primary = new PrimaryPostgres();

    @AfterEach
    void close() {
        primary.close();
        server.close();
    }

    private TieredStore open() {
        return TieredStore.over(primary.open(), uri);
    }

    @Test
    @DisplayName("a store opens and works without Redis, and uses it once it is reachable")
    void opened_without_redis() {
        server.kill();
        try (TieredStore store = open()) {
            ClaimAnswer answer = StoreVerbs.await(store.claim(StoreVerbs.request("k")));
            StoreVerbs.await(store.settle(
                    ((ClaimAnswer.Granted) answer).lease(), StoreVerbs.completed("done"), StoreVerbs.RETENTION));
            assertThat(StoreVerbs.await(store.claim(StoreVerbs.request("k")))).isInstanceOf(ClaimAnswer.Recorded.class);
            assertThat(store.statistics().hits()).isZero();
            server.restart();
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
                assertThat(StoreVerbs.await(store.claim(StoreVerbs.request("k"))))
                        .isInstanceOf(ClaimAnswer.Recorded.class);
                return store.statistics().hits() > 0;
            });
        }
    }

    @Test
    @DisplayName("I1, I3: a Redis that is killed and restarted under load, with or without its data, changes no answer")
    void killed_under_load() throws Exception {
        try (TieredStore store = open();
                TieredStore another = open();
                TieredLoad load = new TieredLoad(store, another)) {
            load.awaitHits(50);
            for (int round = 0; round < 3; round++) {
                server.kill();
                load.awaitAnswers(300);
                server.restart();
                if (round == 1) {
                    server.call("FLUSHALL");
                }
                load.awaitHits(50);
            }
        }
    }

    @Test
    @DisplayName("I1, I3: a Redis that stops replying under load costs a few timeouts, and is used again afterwards")
    void silent_under_load() throws Exception {
        try (TieredStore store = open();
                TieredStore another = open();
                TieredLoad load = new TieredLoad(store, another)) {
            load.awaitHits(50);
            server.pause();
            long skipped = store.statistics().skipped();
            load.awaitAnswers(500);
            assertThat(store.statistics().skipped()).isGreaterThan(skipped);
            server.resume();
            load.awaitHits(50);
        }
    }
}
