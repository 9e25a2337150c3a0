package dev.semel.redis.tiered;

import static dev.semel.testkit.contract.StoreVerbs.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Redis in front of PostgreSQL: flushed and overwritten copies")
class TieredPoisonTest {

    private final RedisServer server = RedisServer.start();
    private final FrontRedis redis = new FrontRedis(server);
    private final PrimaryPostgres primary = new PrimaryPostgres();
    private PostgresStore postgres;
    private TieredStore store;
    private TieredStore another;

    @BeforeEach
    void open() {
        postgres = primary.open();
        store = redis.over(postgres);
        another = redis.over(primary.open());
    }

    @AfterEach
    void close() {
        store.close();
        another.close();
        primary.close();
        redis.close();
        server.close();
    }

    /** A foreign write to a copy, while there is a copy of another record. */
    private interface Poison {
        void on(Identity identity, Identity other);
    }

    private Map<String, Poison> poisons(Random random) {
        Map<String, Poison> poisons = new TreeMap<>();
        poisons.put("noise", (identity, other) -> {
            byte[] noise = new byte[1 + random.nextInt(300)];
            random.nextBytes(noise);
            redis.put(identity, noise);
        });
        poisons.put(
                "text",
                (identity, other) -> redis.put(identity, "{\"state\":\"completed\"}".getBytes(StandardCharsets.UTF_8)));
        poisons.put("truncated", (identity, other) -> {
            byte[] copy = redis.copy(identity);
            redis.put(identity, Arrays.copyOf(copy, copy.length / 2));
        });
        poisons.put("trailing byte", (identity, other) -> {
            byte[] copy = redis.copy(identity);
            redis.put(identity, Arrays.copyOf(copy, copy.length + 1));
        });
        poisons.put("changed", (identity, other) -> {
            byte[] copy = redis.copy(identity);
            if (copy.length > 0) {
                copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
                redis.put(identity, copy);
            }
        });
        poisons.put("of another record", (identity, other) -> redis.put(identity, redis.copy(other)));
        poisons.put("forged", (identity, other) -> redis.put(identity, forged(identity)));
        poisons.put("too long", (identity, other) -> redis.put(identity, new byte[3 * Copies.MAX_COPY_BYTES]));
        poisons.put("a list", (identity, other) -> redis.putList(identity));
        return poisons;
    }

    /** A copy that is valid except for the secret. */
    private byte[] forged(Identity identity) {
        Lease forged = new Lease(identity, 4711);
        StoredRecord secret =
                StoreVerbs.await(postgres.find(TierSecret.IDENTITY)).orElseThrow();
        StoredRecord record = new StoredRecord(
                identity,
                StoreVerbs.OPERATION,
                StoreVerbs.FINGERPRINT,
                secret.state(),
                forged.fence(),
                1,
                false,
                "holder",
                secret.times(),
                StoreVerbs.response("forged"),
                null,
                null,
                secret.steps(),
                null);
        return new CopySeal(new byte[TierSecret.BYTES]).sealed(identity, CopyFormat.bytes(record));
    }

    private void complete(String key) {
        ClaimAnswer answer = StoreVerbs.await(store.claim(StoreVerbs.request(key)));
        StoreVerbs.await(store.settle(
                ((ClaimAnswer.Granted) answer).lease(), StoreVerbs.completed("of " + key), StoreVerbs.RETENTION));
        redis.awaitCopy(id(key));
    }

    @Test
    @DisplayName("an overwritten copy counts as a miss: the database answers, and the copy is written again")
    void poisoned() {
        complete("other");
        poisons(new Random()).forEach((name, poison) -> {
            complete(name);
            byte[] copy = redis.copy(id(name));
            poison.on(id(name), id("other"));
            TieredStatistics before = another.statistics();
            assertThat(StoreVerbs.await(another.claim(StoreVerbs.request(name))))
                    .as(name)
                    .asInstanceOf(type(ClaimAnswer.Recorded.class))
                    .satisfies(recorded ->
                            assertThat(recorded.record().response()).isEqualTo(StoreVerbs.response("of " + name)));
            assertThat(another.statistics().forgeries()).as(name).isEqualTo(before.forgeries() + 1);
            assertThat(another.statistics().faults()).as(name).isZero();
            assertThat(StoreVerbs.await(another.claim(StoreVerbs.request(name))))
                    .as(name)
                    .isInstanceOf(ClaimAnswer.Recorded.class);
            assertThat(another.statistics().hits()).as(name).isEqualTo(before.hits() + 1);
            assertThat(redis.copy(id(name))).as(name).hasSize(copy.length);
            assertThat(redis.millisLeft(id(name))).as(name).isPositive();
        });
    }

    @Test
    @DisplayName("a foreign value for a key without a record changes nothing: the database grants one claim")
    void poisoned_before() {
        complete("other");
        poisons(new Random()).forEach((name, poison) -> {
            poison.on(id(name), id("other"));
            assertThat(StoreVerbs.await(store.claim(StoreVerbs.request(name))))
                    .as(name)
                    .isInstanceOf(ClaimAnswer.Granted.class);
            assertThat(StoreVerbs.await(another.claim(StoreVerbs.request(name))))
                    .as(name)
                    .isInstanceOf(ClaimAnswer.Busy.class);
        });
    }

    @Test
    @DisplayName("I1, I3: overwriting copies under load changes no answer and causes no second execution")
    void poisoned_under_load() throws Exception {
        Random random = new Random();
        try (TieredLoad load = new TieredLoad(store, another)) {
            load.awaitAnswers(200);
            for (int round = 0; round < 20; round++) {
                poisons(random)
                        .values()
                        .forEach(poison -> poison.on(load.anyCompleted(random), load.anyCompleted(random)));
                load.awaitAnswers(20);
            }
            load.awaitHits(50);
        }
        assertThat(store.statistics().forgeries() + another.statistics().forgeries())
                .isPositive();
    }

    @Test
    @DisplayName("I1, I3: flushing Redis repeatedly under load changes no answer")
    void flushed_under_load() throws Exception {
        try (TieredLoad load = new TieredLoad(store, another)) {
            for (int round = 0; round < 30; round++) {
                load.awaitAnswers(40);
                redis.flush();
            }
            load.awaitHits(50);
        }
        assertThat(store.statistics().forgeries()).isZero();
    }
}
