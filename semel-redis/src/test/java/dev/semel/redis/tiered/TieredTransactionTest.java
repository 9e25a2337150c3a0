package dev.semel.redis.tiered;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.TransactionalStore;
import dev.semel.memory.MemoryStore;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A tiered store and transactions")
class TieredTransactionTest {

    private final RedisServer server = RedisServer.start();
    private final FrontRedis redis = new FrontRedis(server);

    @AfterEach
    void close() {
        redis.close();
        server.close();
    }

    @Test
    @DisplayName("it is transactional if its primary store is")
    void capabilities() {
        try (TieredStore store = redis.over(new MemoryStore())) {
            assertThat(store).isNotInstanceOf(TransactionalStore.class);
        }
        try (PrimaryPostgres primary = new PrimaryPostgres();
                TieredStore store = redis.over(primary.open())) {
            assertThat(store).isInstanceOf(TransactionalStore.class);
        }
    }

    @Test
    @DisplayName("a completion within a transaction is copied at its first replay, not before or at the commit")
    void copied_after_commit() throws Exception {
        try (PrimaryPostgres primary = new PrimaryPostgres();
                TieredStore store = redis.over(primary.open());
                Connection connection = primary.connections().getConnection()) {
            connection.setAutoCommit(false);
            StoreTransaction transaction = ((TransactionalStore) store).within(connection, Duration.ofSeconds(10));
            ClaimAnswer.Granted granted = (ClaimAnswer.Granted) transaction.claim(request("k"));
            transaction.settle(granted.lease(), completed("done"), StoreVerbs.RETENTION);
            await(store.claim(request("other")));
            assertThat(redis.has(id("k"))).as("before the commit").isFalse();
            connection.commit();
            await(store.claim(request("other")));
            assertThat(redis.has(id("k"))).as("after the commit").isFalse();
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Recorded.class);
            redis.awaitCopy(id("k"));
        }
    }
}
