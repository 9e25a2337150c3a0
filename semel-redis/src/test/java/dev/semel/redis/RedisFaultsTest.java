package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Redis: faults of the server and of the network")
class RedisFaultsTest {

    /** Short enough to wait for, and long enough for a reply on a loaded machine. */
    private static final String TIMEOUT = "?timeoutMillis=2000";

    private RedisServer server;

    @BeforeEach
    void start() {
        server = RedisServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    @DisplayName(
            "a server that is killed and restarted: calls fail with the reason, then succeed, and no record is lost")
    void killed_and_restarted() {
        try (RedisStore store = RedisStore.open(server.uri())) {
            Lease open = Calls.granted(store, "open");
            Calls.complete(store, Calls.granted(store, "done"));

            server.kill();
            Calls.await(
                    "the lost connection to be noticed",
                    () -> Calls.faultOf(() -> store.claim(StoreVerbs.request("k")))
                            .getMessage()
                            .contains("cannot be reached"));
            StoreException fault = Calls.faultOf(() -> store.claim(StoreVerbs.request("k")));
            assertThat(fault).hasMessageContaining(server.uri()).hasMessageContaining("start it");

            server.restart();
            Calls.awaitAnswers(store);
            assertThat(Calls.stateOf(store, "done")).isEqualTo(State.COMPLETED);
            assertThat(Calls.complete(store, open)).isInstanceOf(SettleAnswer.Settled.class);
            assertThat(Calls.granted(store, "k").fence()).isGreaterThan(open.fence());
        }
    }

    @Test
    @DisplayName("a server that is suspended: calls fail after the timeout, and succeed when it continues")
    void paused() {
        try (RedisStore store = RedisStore.open(server.uri() + TIMEOUT)) {
            Lease lease = Calls.granted(store, "k");
            server.pause();
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                calls.add(store.claim(StoreVerbs.request("k" + i)).toCompletableFuture());
            }
            assertThat(Calls.faultOf(() -> Calls.completion(store, lease))).hasMessageContaining("2000 ms");
            assertThat(calls)
                    .allSatisfy(call -> assertThat(Calls.faultOf(() -> call))
                            .hasMessageContaining("did not answer within 2000 ms; the write may have happened"));

            server.resume();
            Calls.awaitAnswers(store);
            assertThat(Calls.stateOf(store, "k")).isIn(State.IN_PROGRESS, State.COMPLETED);
            Calls.complete(store, lease);
            assertThat(Calls.stateOf(store, "k")).isEqualTo(State.COMPLETED);
        }
    }

    @Test
    @DisplayName("a dead connection that was not closed is replaced")
    void silently_dead() throws Exception {
        try (Proxy proxy = new Proxy(server.port())) {
            assertReplaced(proxy, proxy.uri() + TIMEOUT);
        }
    }

    @Test
    @DisplayName("a dead connection to a cluster's node that was not closed is replaced")
    void silently_dead_in_a_cluster() throws Exception {
        try (RedisServer node = RedisServer.start("--cluster-enabled", "yes");
                Proxy proxy = new Proxy(node.port())) {
            assertReplaced(proxy, clusterBehind(proxy, node) + "&timeoutMillis=2000");
        }
    }

    private static void assertReplaced(Proxy proxy, String uri) {
        try (RedisStore store = RedisStore.open(uri)) {
            Lease lease = Calls.granted(store, "k");
            int before = proxy.connections();
            proxy.drop();
            assertThat(Calls.faultOf(() -> store.find(lease.identity()))).hasMessageContaining("did not answer");
            Calls.awaitAnswers(store);
            assertThat(proxy.connections()).isGreaterThan(before);
            assertThat(Calls.complete(store, lease)).isInstanceOf(SettleAnswer.Settled.class);
        }
    }

    /** A cluster of one node, which announces the address of the proxy. */
    private static String clusterBehind(Proxy proxy, RedisServer node) {
        node.call("CONFIG", "SET", "cluster-announce-port", String.valueOf(proxy.port()));
        node.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
        Calls.await(
                "the cluster to be ready",
                () -> String.valueOf(node.call("CLUSTER", "INFO")).contains("cluster_state:ok"));
        return proxy.uri().replace("redis://", "redis-cluster://") + "?shards=1";
    }

    @Test
    @DisplayName("scripts that are flushed during traffic are sent again, and no call fails")
    void scripts_flushed() throws Exception {
        try (RedisStore store = RedisStore.open(server.uri())) {
            CompletableFuture<Void> flushing = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 50; i++) {
                    server.call("SCRIPT", "FLUSH");
                }
            });
            List<CompletableFuture<SettleAnswer>> settled = new ArrayList<>();
            for (int i = 0; i < 500 || !flushing.isDone(); i++) {
                Lease lease = Calls.granted(store, "k" + i);
                settled.add(store.settle(lease, StoreVerbs.completed("done"), StoreVerbs.RETENTION)
                        .toCompletableFuture());
            }
            flushing.get();
            assertThat(settled)
                    .allSatisfy(answer -> assertThat(answer.join()).isInstanceOf(SettleAnswer.Settled.class));
        }
    }

    @Test
    @DisplayName("a lost reply: no command is sent twice, and the same holder that claims again gets its lease")
    void reply_lost() throws Exception {
        try (Proxy proxy = new Proxy(server.port())) {
            assertSentOnce(server, proxy, proxy.uri());
        }
    }

    @Test
    @DisplayName("a lost reply in a cluster, where calls wait for a new connection: no command is sent twice")
    void reply_lost_in_a_cluster() throws Exception {
        try (RedisServer node = RedisServer.start("--cluster-enabled", "yes");
                Proxy proxy = new Proxy(node.port())) {
            assertSentOnce(node, proxy, clusterBehind(proxy, node));
        }
    }

    private static void assertSentOnce(RedisServer server, Proxy proxy, String uri) {
        try (RedisStore store = RedisStore.open(uri)) {
            Calls.complete(store, Calls.granted(store, "warm"));
            Calls.awaitAnswers(store);
            ClaimRequest request = StoreVerbs.request("k");
            assertThat(runsWithLostReply(server, proxy, store, () -> store.claim(request)))
                    .isEqualTo(1);
            Lease lease = Calls.granted(store, request);
            assertThat(runsWithLostReply(server, proxy, store, () -> Calls.completion(store, lease)))
                    .isEqualTo(1);
            assertThat(Calls.stateOf(store, "k")).isEqualTo(State.COMPLETED);
            assertThat(store.history(lease.identity())).hasSize(2);
        }
    }

    /**
     * Returns how often the server has run a call whose reply was lost. Claims and settlements read the time; a search for an
     * absent record does not.
     */
    private static long runsWithLostReply(
            RedisServer server, Proxy proxy, RedisStore store, Supplier<CompletionStage<?>> call) {
        long before = Calls.count(server, "time");
        proxy.loseNextReply();
        Calls.faultOf(call);
        Calls.awaitAnswers(store);
        return Calls.count(server, "time") - before;
    }

    @Test
    @DisplayName("a server that has become a replica refuses writes, and the message says what to do")
    void demoted() {
        try (RedisServer other = RedisServer.start();
                RedisStore store = RedisStore.open(server.uri())) {
            Lease lease = Calls.granted(store, "k");
            server.call("REPLICAOF", "127.0.0.1", String.valueOf(other.port()));
            assertThat(Calls.faultOf(() -> Calls.completion(store, lease)))
                    .hasMessageContaining("is a replica, which takes no writes: name the primary");
        }
    }
}
