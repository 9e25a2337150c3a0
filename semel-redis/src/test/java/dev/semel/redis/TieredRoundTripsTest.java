package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Scope;
import dev.semel.adapter.Claim;
import dev.semel.cache.CaffeineNearCache;
import dev.semel.engine.SemelEngine;
import dev.semel.testsupport.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a request costs with three tiers, as the servers count it: Redis its commands, PostgreSQL its statements. */
@DisplayName("Redis in front of PostgreSQL: round trips")
class TieredRoundTripsTest {

    private static final Operation OPERATION = Operation.named("create-payment");
    private static final FrontRedis.Asked NOTHING = new FrontRedis.Asked(0, 0, 0);

    private final RedisServer server = RedisServer.start();
    private final FrontRedis redis = new FrontRedis(server);
    private final PostgresTruth truth = new PostgresTruth();
    private SemelEngine near;
    private SemelEngine far;

    @BeforeEach
    void open() {
        near = SemelEngine.on(redis.over(truth.open()))
                .nearCache(CaffeineNearCache.builder().build())
                .build();
        far = SemelEngine.on(redis.over(truth.open())).build();
    }

    @AfterEach
    void close() {
        near.close();
        far.close();
        truth.close();
        redis.close();
        server.close();
    }

    private static Intent intent(String fingerprint) {
        return Intent.of(OPERATION, new Scope("acme"), new Key("k"), new Fingerprint(fingerprint));
    }

    private static Execution<String> execute(SemelEngine semel, String fingerprint) {
        return semel.execute(intent(fingerprint), Codec.text(), attempt -> "charged");
    }

    @Test
    @DisplayName(
            "a first request asks Redis once and tells it once; memory replays for nothing, Redis for one round trip")
    void counts() {
        FrontRedis.Asked before = redis.asked();
        assertThat(execute(near, "v1:meant")).isInstanceOf(Execution.Ran.class);
        // Nobody waits for the copy but we.
        Awaitility.await().until(() -> redis.asked().since(before).equals(new FrontRedis.Asked(1, 1, 0)));

        List<String> statements = truth.lastStatements();
        FrontRedis.Asked after = redis.asked();
        assertThat(execute(near, "v1:meant")).isEqualTo(new Execution.Replayed<>("charged"));
        assertThat(execute(near, "v1:otherwise")).isInstanceOf(Execution.Refused.class);
        assertThat(redis.asked().since(after)).as("from memory").isEqualTo(NOTHING);

        assertThat(execute(far, "v1:meant")).isEqualTo(new Execution.Replayed<>("charged"));
        assertThat(redis.asked().since(after)).as("from Redis").isEqualTo(new FrontRedis.Asked(1, 0, 0));
        assertThat(execute(far, "v1:otherwise")).isInstanceOf(Execution.Refused.class);
        assertThat(redis.asked().since(after)).as("a mismatch from Redis").isEqualTo(new FrontRedis.Asked(2, 0, 0));
        assertThat(truth.lastStatements()).as("to the database").isNotEmpty().isEqualTo(statements);
    }

    @Test
    @DisplayName("what Redis has lost is asked of the database once, and copied again")
    void lost_copy() {
        execute(near, "v1:meant");
        redis.awaitCopy(intent("v1:meant").identity());
        redis.flush();
        List<String> statements = truth.lastStatements();
        FrontRedis.Asked before = redis.asked();
        assertThat(execute(far, "v1:meant")).isEqualTo(new Execution.Replayed<>("charged"));
        assertThat(truth.lastStatements()).isNotEqualTo(statements);
        List<String> afterwards = truth.lastStatements();
        assertThat(execute(far, "v1:meant")).isEqualTo(new Execution.Replayed<>("charged"));
        assertThat(redis.asked().since(before)).isEqualTo(new FrontRedis.Asked(2, 1, 0));
        assertThat(truth.lastStatements()).isEqualTo(afterwards);
    }

    @Test
    @DisplayName("that there is no record is asked of the database every time")
    void negative_answers() {
        List<String> seen = truth.lastStatements();
        for (int i = 0; i < 3; i++) {
            FrontRedis.Asked before = redis.asked();
            near.execute(intent("v1:meant"), Codec.text(), attempt -> {
                attempt.notExecuted("declined");
                return "nothing";
            });
            assertThat(redis.asked().since(before)).isEqualTo(new FrontRedis.Asked(1, 0, 0));
            assertThat(truth.lastStatements()).isNotEqualTo(seen);
            seen = truth.lastStatements();
        }
        assertThat(redis.has(intent("v1:meant").identity())).isFalse();
    }

    @Test
    @DisplayName("what is asked together is asked of the database alone, and copied when it is completed")
    void asked_together() {
        FrontRedis.Asked before = redis.asked();
        List<CompletableFuture<Claim>> claims = new ArrayList<>();
        far.together(() -> {
            for (int i = 0; i < 20; i++) {
                Intent intent = Intent.of(OPERATION, new Scope("acme"), new Key("k" + i), new Fingerprint("v1:meant"));
                claims.add(far.beginAsync(intent).toCompletableFuture());
            }
        });
        Outcome done = new Outcome.Completed(Response.of(new byte[] {1}));
        far.together(() ->
                claims.forEach(claim -> ((Claim.Granted) claim.join()).attempt().settle(done)));
        Awaitility.await().until(() -> redis.asked().since(before).equals(new FrontRedis.Asked(0, 20, 0)));
    }
}
