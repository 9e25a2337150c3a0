package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.RedisSentinel;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Redis: servers that Sentinel monitors")
class RedisSentinelTest {

    @ParameterizedTest
    @ValueSource(strings = {"killed", "paused"})
    @DisplayName("after a failover to the replica, the store reconnects by itself, and fences rise")
    void failover(String how) {
        try (RedisSentinel watched = RedisSentinel.start();
                RedisStore store = RedisStore.open(watched.uri() + "&timeoutMillis=3000&prefix=" + how)) {
            Calls.complete(store, Calls.granted(store, "done"));
            Lease open = Calls.granted(store, "open");
            Calls.awaitReplicated(watched.primary());

            if (how.equals("killed")) {
                watched.primary().kill();
            } else {
                watched.primary().pause();
            }
            watched.awaitPromoted(watched.replica());
            Calls.awaitAnswers(store);

            assertThat(Calls.stateOf(store, "done")).isEqualTo(State.COMPLETED);
            assertThat(Calls.complete(store, open)).isInstanceOf(SettleAnswer.Settled.class);
            assertThat(Calls.granted(store, "k").fence()).isGreaterThan(open.fence());
        }
    }
}
