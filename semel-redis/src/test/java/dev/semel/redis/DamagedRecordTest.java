package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Redis: records that another program has overwritten")
class DamagedRecordTest {

    private static final String ROOT = "semel:{0}";

    private static RedisServer server;

    private RedisStore store;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        server.call("FLUSHALL");
        store = RedisStore.open(server.uri());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static String keyOf(String key) {
        return ROOT + ":r:acme\t" + key;
    }

    static Stream<Named<Consumer<String>>> damages() {
        return Stream.of(
                Named.of("a list", key -> {
                    server.call("DEL", key);
                    server.call("RPUSH", key, "x");
                }),
                Named.of("an empty value", key -> server.call("SET", key, "")),
                Named.of("a text", key -> server.call("SET", key, "{\"state\":\"completed\"}")),
                Named.of(
                        "truncated",
                        key -> server.call(
                                "EVAL",
                                "return redis.call('SET', KEYS[1], string.sub(redis.call('GET', KEYS[1]), 1, -2))",
                                "1",
                                key)),
                Named.of("trailing bytes", key -> server.call("APPEND", key, "x")),
                Named.of("an invalid state", key -> server.call("SETRANGE", key, "1", "\t")),
                Named.of("a length beyond the end", key -> server.call("SETRANGE", key, "75", "~")));
    }

    @ParameterizedTest
    @MethodSource("damages")
    @DisplayName("every verb fails with the reason, and no claim is granted")
    void damaged(Consumer<String> damage) {
        Lease lease = Calls.granted(store, "k");
        damage.accept(keyOf("k"));
        String reason = "(damaged|another type|format)";
        assertThat(Calls.faultOf(() -> store.claim(StoreVerbs.request("k"))).getMessage())
                .containsPattern(reason);
        assertThat(Calls.faultOf(() -> store.claim(StoreVerbs.reexecutable("k")))
                        .getMessage())
                .containsPattern(reason);
        assertThat(Calls.faultOf(() -> Calls.completion(store, lease)).getMessage())
                .containsPattern(reason);
        assertThat(Calls.faultOf(() -> store.renew(lease, StoreVerbs.LEASE)).getMessage())
                .containsPattern(reason);
        assertThat(Calls.faultOf(() -> store.find(lease.identity())).getMessage())
                .containsPattern(reason);
    }

    @ParameterizedTest
    @MethodSource("damages")
    @DisplayName("the sweeper handles all other records")
    void sweeper_goes_on(Consumer<String> damage) {
        shortlyGranted("damaged");
        Lease other = shortlyGranted("other");
        damage.accept(keyOf("damaged"));
        Calls.await(
                "the other lease to expire",
                () -> store.sweep(1).stream()
                        .anyMatch(record -> record.identity().equals(other.identity())));
        assertThat(Calls.stateOf(store, "other")).isEqualTo(State.UNKNOWN);
        assertThat(server.call("ZCARD", ROOT + ":leases"))
                .as("the damaged record stays in the index")
                .isEqualTo(1L);
    }

    private Lease shortlyGranted(String key) {
        return Calls.granted(
                store,
                new ClaimRequest(
                        StoreVerbs.id(key),
                        StoreVerbs.OPERATION,
                        StoreVerbs.FINGERPRINT,
                        Duration.ofMillis(1),
                        false,
                        key));
    }

    @Test
    @DisplayName("an index of another type: a verb fails before it changes the record")
    void foreign_index() {
        Lease lease = Calls.granted(store, "k");
        server.call("SET", ROOT + ":expiring", "x");
        assertThat(Calls.faultOf(() -> Calls.completion(store, lease))).hasMessageContaining("another type");
        assertThat(Calls.stateOf(store, "k")).isEqualTo(State.IN_PROGRESS);
        assertThat(server.call("ZSCORE", ROOT + ":leases", "acme\tk")).isNotNull();

        server.call("DEL", ROOT + ":leases");
        server.call("SET", ROOT + ":leases", "x");
        assertThat(Calls.faultOf(() -> store.claim(StoreVerbs.request("other"))))
                .hasMessageContaining("another type");
        assertThat(StoreVerbs.await(store.find(StoreVerbs.id("other")))).isEmpty();
    }
}
