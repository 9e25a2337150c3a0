package dev.semel.redis;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.memory.MemoryStore;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A tiered store can what its truth can")
class TieredTransactionTest {

    private final RedisServer server = RedisServer.start();
    private final FrontRedis redis = new FrontRedis(server);

    @AfterEach
    void close() {
        redis.close();
        server.close();
    }

    @Test
    @DisplayName("it is transactional over a truth that is, and not over another")
    void capabilities() {
        try (TieredStore store = redis.over(new MemoryStore())) {
            assertThat(store).isNotInstanceOf(TransactionalStore.class);
        }
        try (PostgresTruth truth = new PostgresTruth();
                TieredStore store = redis.over(truth.open())) {
            assertThat(store).isInstanceOf(TransactionalStore.class);
        }
    }

    @Test
    @DisplayName("a truth without audit or steps is refused, before anybody relies on them")
    void incapable() {
        Store incapable = (Store) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException();
                });
        assertThatThrownBy(() -> TieredStore.over(incapable, redis.uri()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("without steps or without audit");
    }

    @Test
    @DisplayName("what completes in a transaction is not copied before its commit, nor by it, but by its first replay")
    void copied_after_commit() throws Exception {
        try (PostgresTruth truth = new PostgresTruth();
                TieredStore store = redis.over(truth.open());
                Connection connection = truth.connections().getConnection()) {
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
