package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Redis: a server that is out of memory")
class RedisFullTest {

    @Test
    @DisplayName("refuses claims and leaves no trace of them; earlier lease holders can continue and settle")
    void full() {
        try (RedisServer server = RedisServer.start();
                RedisStore store = RedisStore.open(server.uri())) {
            Lease lease = Calls.granted(store, "before");
            String keys = String.valueOf(server.call("DBSIZE"));
            String fence = String.valueOf(server.call("GET", "semel:{0}"));
            server.call("CONFIG", "SET", "maxmemory", "1");

            assertThat(Calls.faultOf(() -> store.claim(StoreVerbs.request("k"))))
                    .hasMessageContaining("is full: give it more memory (maxmemory)");
            assertThat(String.valueOf(server.call("DBSIZE"))).isEqualTo(keys);
            assertThat(String.valueOf(server.call("GET", "semel:{0}"))).isEqualTo(fence);
            assertThat(server.call("ZCARD", "semel:{0}:leases")).isEqualTo(1L);

            assertThat(StoreVerbs.await(store.renew(lease, StoreVerbs.LEASE))).isEqualTo(RenewAnswer.RENEWED);
            assertThat(StoreVerbs.await(store.step(lease, "s", StoreVerbs.response("r"))))
                    .isEqualTo(StepAnswer.RECORDED);
            assertThat(Calls.complete(store, lease)).isInstanceOf(SettleAnswer.Settled.class);
            assertThat(StoreVerbs.await(store.claim(StoreVerbs.request("before"))))
                    .isInstanceOf(ClaimAnswer.Recorded.class);

            server.call("CONFIG", "SET", "maxmemory", "0");
            Calls.granted(store, "k");
        }
    }
}
