package dev.semel.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.redis.Calls;
import dev.semel.redis.RedisStore;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Redis: writes that replicas confirm")
class ConfirmerTest {

    private static final String CONFIRMED = "?replicas=1&timeoutMillis=4000";

    private RedisServer primary;
    private RedisServer replica;

    @BeforeEach
    void start() {
        primary = RedisServer.start();
        replica = RedisServer.startReplicaOf(primary);
    }

    @AfterEach
    void stop() {
        replica.close();
        primary.close();
    }

    @Test
    @DisplayName("claims, steps, settlements and reconciliations are on the replica when their calls succeed")
    void confirmed() {
        try (RedisStore store = RedisStore.open(primary.uri() + CONFIRMED)) {
            Lease lease = Calls.granted(store, "k");
            assertThat(replica.call("EXISTS", "semel:{0}:r:acme\tk")).isEqualTo(1L);
            assertThat(StoreVerbs.await(store.step(lease, "s", StoreVerbs.response("r"))))
                    .isEqualTo(StepAnswer.RECORDED);
            StoreVerbs.await(store.settle(lease, StoreVerbs.unknown(), StoreVerbs.RETENTION));
            assertThat(replica.call("ZCARD", "semel:{0}:unknown")).isEqualTo(1L);
            assertThat(store.reconcile(lease, StoreVerbs.completed("done"), StoreVerbs.EVIDENCE, StoreVerbs.RETENTION))
                    .isInstanceOf(SettleAnswer.Settled.class);
            assertThat(replica.call("ZCARD", "semel:{0}:expiring")).isEqualTo(1L);
        }
    }

    @Test
    @DisplayName("a suspended replica: claims fail, also replays; when it continues, they succeed")
    void replica_paused() {
        try (RedisStore store = RedisStore.open(primary.uri() + CONFIRMED);
                RedisStore unconfirming = RedisStore.open(primary.uri())) {
            Lease before = Calls.granted(store, "before");
            replica.pause();
            ClaimRequest request = StoreVerbs.request("k");
            assertThat(Calls.faultOf(() -> store.claim(request)))
                    .hasMessageContaining("only 0 of 1 replicas")
                    .hasMessageContaining("may have happened");
            assertThat(Calls.faultOf(() -> Calls.completion(store, before)))
                    .hasMessageContaining("only 0 of 1 replicas");
            assertThat(Calls.stateOf(store, "before")).isEqualTo(State.COMPLETED);
            Calls.complete(unconfirming, Calls.granted(unconfirming, "unconfirmed"));
            assertThat(Calls.faultOf(() -> store.claim(StoreVerbs.request("unconfirmed"))))
                    .as("a replay of a record that may still be lost")
                    .hasMessageContaining("only 0 of 1 replicas");

            replica.resume();
            assertThat(Calls.granted(store, request).fence()).isGreaterThan(before.fence());
            assertThat(StoreVerbs.await(store.claim(StoreVerbs.request("unconfirmed"))))
                    .isInstanceOf(ClaimAnswer.Recorded.class);
        }
    }

    @Test
    @DisplayName("calls that arrive together share one WAIT, on a connection of their own")
    void grouped() {
        try (RedisStore store = RedisStore.open(primary.uri() + CONFIRMED)) {
            Calls.granted(store, "first");
            int calls = 2_000;
            long waits = Calls.count(primary, "wait");
            List<CompletableFuture<ClaimAnswer>> claims = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                claims.add(store.claim(StoreVerbs.request("k" + i)).toCompletableFuture());
            }
            claims.forEach(claim -> assertThat(claim.join()).isInstanceOf(ClaimAnswer.Granted.class));
            assertThat(Calls.count(primary, "wait") - waits).isLessThan(calls / 4);
            StoreVerbs.await(store.find(StoreVerbs.id("first")));
            assertThat(lastCommands()).containsExactlyInAnyOrder("evalsha|eval", "wait");
        }
    }

    /** Returns the last command of each of the store's connections. */
    private List<String> lastCommands() {
        return Arrays.stream(String.valueOf(primary.call("CLIENT", "LIST", "TYPE", "normal"))
                        .split("\n", -1))
                .filter(line -> !line.contains("cmd=client"))
                .filter(line -> line.contains(" cmd="))
                .map(line -> line.replaceAll(".* cmd=([a-z|]+) .*", "$1"))
                .map(command -> command.startsWith("eval") ? "evalsha|eval" : command)
                .toList();
    }

    @Test
    @DisplayName("calls succeed after the primary was killed and restarted, and its scripts flushed")
    void primary_restarted() {
        try (RedisStore store = RedisStore.open(primary.uri() + CONFIRMED)) {
            Lease lease = Calls.granted(store, "k");
            primary.kill();
            assertThat(Calls.faultOf(() -> Calls.completion(store, lease))).isNotNull();
            primary.restart();
            Calls.await(
                    "replication",
                    () -> replica.info("replication", "master_link_status").equals("up"));
            primary.call("SCRIPT", "FLUSH");
            assertThat(Calls.complete(store, lease)).isInstanceOf(SettleAnswer.Settled.class);
        }
    }

    @Test
    @DisplayName("a server with too few replicas is refused when a store is opened")
    void too_few_replicas() {
        assertThatThrownBy(() -> RedisStore.open(primary.uri() + "?replicas=2"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("replicas is 2, but 1 are connected");
    }

    @Test
    @DisplayName("calls of a closed store fail with the reason")
    void closed() {
        RedisStore store = RedisStore.open(primary.uri() + CONFIRMED);
        Lease lease = Calls.granted(store, "k");
        store.close();
        assertThat(Calls.faultOf(() -> Calls.completion(store, lease))).hasMessageContaining("closed");
    }
}
