package dev.semel.redis.tiered;

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

/** Round trips of a request with three tiers, as the servers count them: commands of Redis, statements of PostgreSQL. */
@DisplayName("Redis in front of PostgreSQL: round trips")
class TieredRoundTripsTest {

    private static final Operation OPERATION = Operation.named("create-payment");
    private static final FrontRedis.Commands NOTHING = new FrontRedis.Commands(0, 0, 0);

    private final RedisServer server = RedisServer.start();
    private final FrontRedis redis = new FrontRedis(server);
    private final PrimaryPostgres primary = new PrimaryPostgres();
    private SemelEngine near;
    private SemelEngine far;

    @BeforeEach
    void open() {
        near = SemelEngine.on(redis.over(primary.open()))
                .nearCache(CaffeineNearCache.builder().build())
                .build();
        far = SemelEngine.on(redis.over(primary.open())).build();
    }

    @AfterEach
    void close() {
        near.close();
        far.close();
        primary.close();
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
            "a first request reads and writes Redis once; a replay takes no round trip from memory, one from Redis")
    void counts() {
        FrontRedis.Commands before = redis.commands();
        assertThat(execute(near, "v1:meant")).isInstanceOf(Execution.Ran.class);
        // The copy is written in the background.
        Awaitility.await().until(() -> redis.commands().since(before).equals(new FrontRedis.Commands(1, 1, 0)));

        List<String> statements = primary.lastStatements();
        FrontRedis.Commands after = redis.commands();
        assertThat(execute(near, "v1:meant")).isEqualTo(new Execution.Replayed<>("charged"));
        assertThat(execute(near, "v1:otherwise")).isInstanceOf(Execution.Refused.class);
        assertThat(redis.commands().since(after)).as("from memory").isEqualTo(NOTHING);

        assertThat(execute(far, "v1:meant")).isEqualTo(new Execution.Replayed<>("charged"));
        assertThat(redis.commands().since(after)).as("from Redis").isEqualTo(new FrontRedis.Commands(1, 0, 0));
        assertThat(execute(far, "v1:otherwise")).isInstanceOf(Execution.Refused.class);
        assertThat(redis.commands().since(after))
                .as("a mismatch from Redis")
                .isEqualTo(new FrontRedis.Commands(2, 0, 0));
        assertThat(primary.lastStatements()).as("to the database").isNotEmpty().isEqualTo(statements);
    }

    @Test
    @DisplayName("a lost copy is read from the database once, and copied again")
    void lost_copy() {
        execute(near, "v1:meant");
        redis.awaitCopy(intent("v1:meant").identity());
        redis.flush();
        List<String> statements = primary.lastStatements();
        FrontRedis.Commands before = redis.commands();
        assertThat(execute(far, "v1:meant")).isEqualTo(new Execution.Replayed<>("charged"));
        assertThat(primary.lastStatements()).isNotEqualTo(statements);
        List<String> afterwards = primary.lastStatements();
        assertThat(execute(far, "v1:meant")).isEqualTo(new Execution.Replayed<>("charged"));
        assertThat(redis.commands().since(before)).isEqualTo(new FrontRedis.Commands(2, 1, 0));
        assertThat(primary.lastStatements()).isEqualTo(afterwards);
    }

    @Test
    @DisplayName("a missing record is looked up in the database every time")
    void negative_answers() {
        List<String> seen = primary.lastStatements();
        for (int i = 0; i < 3; i++) {
            FrontRedis.Commands before = redis.commands();
            near.execute(intent("v1:meant"), Codec.text(), attempt -> {
                attempt.notExecuted("declined");
                return "nothing";
            });
            assertThat(redis.commands().since(before)).isEqualTo(new FrontRedis.Commands(1, 0, 0));
            assertThat(primary.lastStatements()).isNotEqualTo(seen);
            seen = primary.lastStatements();
        }
        assertThat(redis.has(intent("v1:meant").identity())).isFalse();
    }

    @Test
    @DisplayName("claims of a batch use only the database, and are copied when they are completed")
    void batch() {
        FrontRedis.Commands before = redis.commands();
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
        Awaitility.await().until(() -> redis.commands().since(before).equals(new FrontRedis.Commands(0, 20, 0)));
    }
}
