package dev.semel.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.redis.Calls;
import dev.semel.redis.RedisStore;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Redis: claims and settlements that arrive at the same time")
class GroupLaneTest {

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
        store = RedisStore.open(server.uri() + "?timeoutMillis=60000");
        // The server has cached the scripts after this.
        Calls.complete(store, Calls.granted(store, "first"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Makes these calls while the server is suspended, and returns their answers after it continues. */
    private static <T> List<T> atOnce(int count, IntFunction<CompletableFuture<T>> call) {
        server.pause();
        List<CompletableFuture<T>> calls;
        try {
            calls = IntStream.range(0, count).mapToObj(call).toList();
        } finally {
            server.resume();
        }
        return calls.stream().map(CompletableFuture::join).toList();
    }

    private CompletableFuture<ClaimAnswer> claim(String key) {
        return store.claim(StoreVerbs.request(key)).toCompletableFuture();
    }

    private CompletableFuture<SettleAnswer> settle(Lease lease, Outcome outcome) {
        return store.settle(lease, outcome, StoreVerbs.RETENTION).toCompletableFuture();
    }

    private static List<Lease> leases(List<ClaimAnswer> answers) {
        return answers.stream()
                .map(answer -> ((ClaimAnswer.Granted) answer).lease())
                .toList();
    }

    @Test
    @DisplayName("two are sent at once, and the others in groups of a hundred")
    void share_scripts() {
        long before = Calls.count(server, "evalsha");
        List<Lease> leases = leases(atOnce(202, i -> claim("k" + i)));
        assertThat(Calls.count(server, "evalsha") - before).isEqualTo(4);
        assertThat(leases).extracting(Lease::fence).isSorted().doesNotHaveDuplicates();
        assertThat(leases).extracting(Lease::identity).isEqualTo(ids(202));

        before = Calls.count(server, "evalsha");
        List<SettleAnswer> settled = atOnce(202, i -> settle(leases.get(i), StoreVerbs.completed("response to " + i)));
        assertThat(Calls.count(server, "evalsha") - before).isEqualTo(4);
        assertThat(settled).containsOnly(new SettleAnswer.Settled(State.IN_PROGRESS));

        before = Calls.count(server, "evalsha");
        List<ClaimAnswer> replays = atOnce(202, i -> claim("k" + i));
        assertThat(Calls.count(server, "evalsha") - before).isEqualTo(4);
        for (int i = 0; i < replays.size(); i++) {
            assertThat(((ClaimAnswer.Recorded) replays.get(i)).record().response())
                    .isEqualTo(StoreVerbs.response("response to " + i));
        }
    }

    private static List<Identity> ids(int count) {
        return IntStream.range(0, count).mapToObj(i -> StoreVerbs.id("k" + i)).toList();
    }

    @Test
    @DisplayName("of claims for one key one is granted, at any position in a group")
    void one_of_a_group() {
        Calls.complete(store, Calls.granted(store, "done"));
        List<ClaimAnswer> answers =
                atOnce(60, i -> claim(List.of("done", "a", "b").get(i % 3)));
        assertThat(answers).filteredOn(ClaimAnswer.Recorded.class::isInstance).hasSize(20);
        assertThat(answers).filteredOn(ClaimAnswer.Granted.class::isInstance).hasSize(2);
        assertThat(answers).filteredOn(ClaimAnswer.Busy.class::isInstance).hasSize(38);
    }

    @Test
    @DisplayName("a settlement with an old fence is refused, and others of its group are not")
    void fenced() {
        List<Lease> leases = leases(atOnce(20, i -> claim("k" + i)));
        List<SettleAnswer> answers = atOnce(
                20,
                i -> settle(
                        i % 2 == 0
                                ? leases.get(i)
                                : new Lease(
                                        leases.get(i).identity(), leases.get(i).fence() - 1),
                        StoreVerbs.completed("done")));
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i))
                    .isInstanceOf(i % 2 == 0 ? SettleAnswer.Settled.class : SettleAnswer.Refused.class);
            assertThat(Calls.stateOf(store, "k" + i)).isEqualTo(i % 2 == 0 ? State.COMPLETED : State.IN_PROGRESS);
        }
    }

    @Test
    @DisplayName("calls on damaged records fail, and others of their group do not")
    void damaged() {
        List<Lease> leases = leases(atOnce(20, i -> claim("k" + i)));
        server.call("SET", keyOf("k7"), "damaged");
        server.call("DEL", keyOf("k8"));
        server.call("RPUSH", keyOf("k8"), "a list");

        List<String> claimed = atOnce(20, i -> described(claim("k" + i)));
        List<String> settled = atOnce(20, i -> described(settle(leases.get(i), StoreVerbs.completed("done"))));
        for (int i = 0; i < 20; i++) {
            String damage = i == 7 ? "this record is damaged" : i == 8 ? "has a key of another type" : null;
            assertThat(claimed.get(i)).contains(damage == null ? "Busy" : damage);
            assertThat(settled.get(i)).contains(damage == null ? "Settled" : damage);
        }
    }

    private static CompletableFuture<String> described(CompletableFuture<?> call) {
        return call.handle((answer, failure) -> failure == null ? answer.toString() : failure.toString());
    }

    private static String keyOf(String key) {
        return "semel:{0}:r:acme\t" + key;
    }

    @Test
    @DisplayName("large responses are spread over several scripts")
    void large() {
        List<Lease> leases = leases(atOnce(12, i -> claim("k" + i)));
        long before = Calls.count(server, "evalsha");
        Outcome large = StoreVerbs.completed("x".repeat(200_000));
        assertThat(atOnce(12, i -> settle(leases.get(i), large)))
                .containsOnly(new SettleAnswer.Settled(State.IN_PROGRESS));
        assertThat(Calls.count(server, "evalsha") - before).isEqualTo(2 + 10 / 2);
    }

    @Test
    @DisplayName("calls that wait behind one without a reply fail unsent")
    void unanswered() {
        try (RedisStore impatient = RedisStore.open(server.uri() + "?timeoutMillis=700")) {
            Calls.granted(impatient, "before");
            long before = Calls.count(server, "evalsha");
            List<CompletableFuture<ClaimAnswer>> calls = new ArrayList<>();
            server.pause();
            try {
                for (int i = 0; i < 50; i++) {
                    calls.add(impatient.claim(StoreVerbs.request("k" + i)).toCompletableFuture());
                }
                assertThat(calls)
                        .allSatisfy(
                                call -> assertThat(Calls.faultOf(() -> call)).hasMessageContaining("700 ms"));
            } finally {
                server.resume();
            }
            Calls.awaitAnswers(store);
            assertThat(Calls.count(server, "evalsha") - before).isBetween(0L, 3L);
            Calls.awaitAnswers(impatient);
            assertThat(StoreVerbs.await(impatient.find(StoreVerbs.id("k49")))).isEmpty();
            assertThat(Calls.granted(impatient, "k49").fence()).isPositive();
        }
    }
}
