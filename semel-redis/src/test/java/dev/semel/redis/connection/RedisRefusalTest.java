package dev.semel.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.StoreException;
import dev.semel.redis.Calls;
import dev.semel.redis.RedisStore;
import dev.semel.redis.uri.RedisUri;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisCluster;
import dev.semel.testsupport.servers.RedisServer;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Redis: errors and their messages")
class RedisRefusalTest {

    @ParameterizedTest
    @CsvSource({
        "LOADING Redis is loading the dataset in memory, is still loading its data: retry when it has finished",
        "MISCONF Redis is configured to save RDB snapshots, cannot save its data and takes no writes: check its log",
        "TRYAGAIN Multiple keys request during rehashing of slot, is moving this slot to another node: retry",
        "ERR Script attempted to access a non local key in a cluster node, is moving this slot to another node: retry",
        "NOAUTH Authentication required., requires a password: put user:password@ before the host",
        "ERR something new, refused: ERR something new",
    })
    void message(String error, String message) {
        RedisUri uri = RedisUri.parse("redis://somewhere");
        assertThat(RedisFaults.of(uri, new RedisCommandExecutionException(error)))
                .hasMessageStartingWith("Redis at redis://somewhere:6379/0 " + message)
                .hasMessageContaining(error);
    }

    @Test
    @DisplayName("BUSY: another script runs too long")
    void busy() {
        try (RedisServer server = RedisServer.start("--busy-reply-threshold", "10");
                RedisStore store = RedisStore.open(server.uri() + "?timeoutMillis=10000")) {
            Calls.granted(store, "k");
            CompletableFuture<Void> endless = CompletableFuture.runAsync(() -> {
                try {
                    server.call("EVAL", "while true do end", "0");
                } catch (IllegalStateException killed) {
                    assertThat(killed).hasMessageContaining("killed");
                }
            });
            Calls.await("a server that is busy", () -> isBusy(server));
            assertThat(Calls.faultOf(() -> store.claim(StoreVerbs.request("k2"))))
                    .hasMessageContaining("is busy with another script or function: end it with SCRIPT KILL");
            server.call("SCRIPT", "KILL");
            endless.join();
            Calls.granted(store, "k2");
        }
    }

    private static boolean isBusy(RedisServer server) {
        try {
            server.call("PING");
            return false;
        } catch (IllegalStateException busy) {
            return busy.getMessage().startsWith("BUSY");
        }
    }

    @Test
    @DisplayName("MASTERDOWN and NOREPLICAS: a server without its primary or its replicas")
    void alone() {
        try (RedisServer server = RedisServer.start();
                RedisStore store = RedisStore.open(server.uri())) {
            Lease lease = Calls.granted(store, "k");
            server.call("CONFIG", "SET", "min-replicas-to-write", "1");
            assertThat(Calls.faultOf(() -> Calls.completion(store, lease)))
                    .hasMessageContaining("has fewer replicas than its min-replicas-to-write");
            server.call("CONFIG", "SET", "min-replicas-to-write", "0");

            server.call("CONFIG", "SET", "replica-serve-stale-data", "no");
            server.call("REPLICAOF", "127.0.0.1", "1");
            assertThat(Calls.faultOf(() -> store.find(lease.identity())))
                    .hasMessageContaining("is a replica that has lost its primary");
            server.call("REPLICAOF", "NO", "ONE");
            assertThat(Calls.complete(store, lease)).isInstanceOf(SettleAnswer.Settled.class);
        }
    }

    @Test
    @DisplayName("CLUSTERDOWN: a slot that no node owns")
    void cluster_down() {
        try (RedisCluster cluster = RedisCluster.start(3, 0);
                RedisStore store = RedisStore.open(cluster.uri() + "?shards=1")) {
            Lease lease = Calls.granted(store, "k");
            RedisServer owner = cluster.primaries().stream()
                    .filter(node -> !Long.valueOf(0).equals(node.call("DBSIZE")))
                    .filter(node -> String.valueOf(node.call("KEYS", "*")).contains(":r:"))
                    .findFirst()
                    .orElseThrow();
            String slot = String.valueOf(owner.call("CLUSTER", "KEYSLOT", "semel:{0}"));
            owner.call("CLUSTER", "DELSLOTS", slot);
            assertThat(Calls.faultOf(() -> Calls.completion(store, lease)))
                    .hasMessageContaining("is a cluster that has lost nodes: check CLUSTER INFO");
        }
    }

    @Test
    @DisplayName("a replica is refused when a store is opened")
    void replica_at_the_start() {
        try (RedisServer server = RedisServer.start("--replicaof", "127.0.0.1 1")) {
            assertThatThrownBy(() -> RedisStore.open(server.uri()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("replica");
        }
    }

    @Test
    @DisplayName("no server: opening a store fails with the address")
    void no_server() {
        assertThatThrownBy(() -> RedisStore.open("redis://127.0.0.1:1"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("redis://127.0.0.1:1/0 cannot be reached")
                .hasMessageContaining("start it");
    }
}
