package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.memory.MemoryStore;
import dev.semel.redis.tiered.TieredStore;
import dev.semel.redis.uri.RedisUri;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Shows what an asynchronous failover can lose: the network between primary and replica drops all data, the primary is killed,
 * and the replica is promoted. docs/reference/redis.md describes for users what is shown here.
 */
@DisplayName("Redis: a failover to a replica that lacks the last records")
class RedisFailoverLosesTest {

    private static final Intent PAYMENT =
            Intent.of(Operation.named("charge"), Scope.of("acme"), Key.of("order-42"), new Fingerprint("v1:100-EUR"));

    /** The effects that happened, independent of any store. */
    private final List<String> ledger = new ArrayList<>();

    private RedisServer primary;
    private Proxy replication;
    private RedisServer replica;

    @BeforeEach
    void start() throws Exception {
        primary = RedisServer.start();
        replication = new Proxy(primary.port());
        replica = RedisServer.start("--replicaof", "127.0.0.1 " + replication.port());
        Calls.await(
                "replication",
                () -> replica.info("replication", "master_link_status").equals("up")
                        && primary.info("replication", "slave0").contains("state=online"));
    }

    @AfterEach
    void stop() throws Exception {
        replica.close();
        replication.close();
        primary.close();
    }

    private Execution<String> pay(Store store) {
        try (SemelEngine semel = SemelEngine.on(store).build()) {
            return semel.execute(PAYMENT, Codec.text(), attempt -> charge());
        }
    }

    private String charge() {
        ledger.add("charged");
        return "receipt " + ledger.size();
    }

    private void failOver() {
        primary.kill();
        replica.call("REPLICAOF", "NO", "ONE");
    }

    @Test
    @DisplayName("Redis alone executes lost records again")
    void redis_alone_executes_again() {
        try (RedisStore store = RedisStore.open(primary.uri())) {
            Calls.awaitReplicated(primary);
            replication.dropAll();
            assertThat(pay(store)).isInstanceOf(Execution.Ran.class);
        }
        failOver();
        try (RedisStore store = RedisStore.open(replica.uri())) {
            assertThat(pay(store))
                    .as("the loss that the documentation describes")
                    .isInstanceOf(Execution.Ran.class);
        }
        assertThat(ledger).hasSize(2);
    }

    @Test
    @DisplayName("I2: fences still rise, and the holder of a lost lease cannot settle")
    void fences_rise() {
        Lease lost;
        try (RedisStore store = RedisStore.open(primary.uri())) {
            Calls.granted(store, "before");
            Calls.awaitReplicated(primary);
            replication.dropAll();
            for (int i = 0; i < 100; i++) {
                Calls.granted(store, "k" + i);
            }
            lost = Calls.granted(store, "k");
        }
        failOver();
        try (RedisStore store = RedisStore.open(replica.uri())) {
            Lease now = Calls.granted(store, "k");
            assertThat(now.fence()).isGreaterThan(lost.fence());
            assertThat(Calls.complete(store, lost)).isInstanceOf(SettleAnswer.Refused.class);
            assertThat(Calls.complete(store, now)).isInstanceOf(SettleAnswer.Settled.class);
        }
    }

    @Test
    @DisplayName("with replicas=1, the first execution does not start")
    void unconfirmed_claim() {
        try (RedisStore store = RedisStore.open(primary.uri() + "?replicas=1")) {
            Calls.awaitReplicated(primary);
            replication.dropAll();
            assertThatThrownBy(() -> pay(store)).isInstanceOf(StoreException.class);
        }
        assertThat(ledger).isEmpty();
        failOver();
        try (RedisStore store = RedisStore.open(replica.uri())) {
            assertThat(pay(store)).isInstanceOf(Execution.Ran.class);
        }
        assertThat(ledger).hasSize(1);
    }

    @Test
    @DisplayName("with replicas=1, an unconfirmed completion is reported as such, and the operation does not run again")
    void unconfirmed_settlement() {
        try (RedisStore store = RedisStore.open(primary.uri() + "?replicas=1");
                SemelEngine semel = SemelEngine.on(store).build()) {
            Execution<String> first = semel.execute(PAYMENT, Codec.text(), attempt -> {
                replication.dropAll();
                return charge();
            });
            assertThat(first).isInstanceOf(Execution.Unconfirmed.class);
            failOver();
        }
        try (RedisStore store = RedisStore.open(replica.uri())) {
            assertThat(pay(store)).isInstanceOf(Execution.Refused.class);
        }
        assertThat(ledger).hasSize(1);
    }

    @Test
    @DisplayName("the tiered store loses nothing: its primary store is not Redis")
    void tiered_store_replays() {
        try (Store database = new MemoryStore()) {
            try (Store store = TieredStore.over(database, RedisUri.parse(primary.uri()))) {
                Calls.awaitReplicated(primary);
                replication.dropAll();
                assertThat(pay(store)).isInstanceOf(Execution.Ran.class);
                failOver();
            }
            try (Store store = TieredStore.over(database, RedisUri.parse(replica.uri()))) {
                assertThat(pay(store)).isEqualTo(new Execution.Replayed<>("receipt 1"));
            }
        }
        assertThat(ledger).hasSize(1);
    }
}
