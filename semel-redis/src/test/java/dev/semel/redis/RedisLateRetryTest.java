package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.redis.connection.Link;
import dev.semel.redis.record.Layout;
import dev.semel.redis.uri.RedisOptions;
import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.LateRetryContract;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Late retries, records in Redis")
class RedisLateRetryTest extends LateRetryContract {

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
    protected StoreHarness open(Duration tombstones) {
        return new RedisHarness(server.uri(), List.of(server), tombstones);
    }

    @Test
    @DisplayName(
            "with tombstones, Redis deletes no record before its tombstone would end, also one that is marked or repaired")
    void late_ttl() throws Exception {
        with(Duration.ofDays(365));
        for (String key : List.of("settled", "marked", "repaired", "forgotten")) {
            Lease lease = granted(key);
            settle(lease, StoreVerbs.completed("done"));
            if (key.equals("forgotten")) {
                store().forget(lease, EVIDENCE);
            }
        }
        assertThat(daysOf("settled")).isGreaterThanOrEqualTo(365);
        assertThat(daysOf("forgotten")).isLessThan(365);
        raw(commands -> commands.persist(key("repaired")));
        ((RedisHarness) harness()).inspect(true);
        assertThat(daysOf("repaired")).isGreaterThanOrEqualTo(365);
        expireRetention();
        prune(100, Expiry.MARK);
        assertThat(daysOf("marked")).isGreaterThanOrEqualTo(365);
    }

    private long daysOf(String key) {
        long left = raw(commands -> commands.pttl(key(key)));
        return Duration.ofMillis(left).plusMinutes(1).toDays();
    }

    private byte[] key(String key) {
        RedisOptions options = ((RedisHarness) harness()).uri().options();
        return new Layout(options.prefix(), options.shards()).keys(StoreVerbs.id(key))[1];
    }

    private <T> T raw(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
        Link link = ((RedisHarness) harness()).link();
        return link.await(link.<T, T>call(command, reply -> reply));
    }
}
