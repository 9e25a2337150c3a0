package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.FINGERPRINT;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.StoreUri;
import dev.semel.testsupport.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PostgreSQL: the engine within the application's transactions")
@Timeout(120)
class PostgresTransactionalSemelTest {

    private static final int DUPLICATES = 20;
    private static final Operation OPERATION = Operation.named("create-order").waitUpTo(Duration.ofMinutes(1));
    private static final Intent INTENT = Intent.of(OPERATION, id("k").scope(), id("k").key(), FINGERPRINT);

    private static HikariDataSource pool(String uri, int size) {
        HikariConfig config = new HikariConfig();
        try (HikariDataSource template = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource()) {
            template.copyStateTo(config);
        }
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(TimeUnit.MINUTES.toMillis(1));
        return new HikariDataSource(config);
    }

    /** With one connection, code that needs a second one while it holds the first would wait for ever. */
    @ParameterizedTest
    @ValueSource(ints = {1, DUPLICATES})
    void of_20_duplicates_at_once_one_executes_and_the_others_replay_whatever_the_size_of_the_pool(int connections)
            throws Exception {
        String uri = PostgresServer.shared().newDatabase();
        PostgresServer.execute(uri, "CREATE TABLE orders (name text)");
        try (HikariDataSource pool = pool(uri, connections)) {
            SemelEngine semel = SemelEngine.on(new PostgresStore(pool)).build();
            List<Execution<String>> executions =
                    together(() -> semel.executeInTransaction(pool, INTENT, Codec.text(), (connection, attempt) -> {
                        OrdersDatabase.order(connection, "one");
                        return "done";
                    }));
            assertThat(executions).filteredOn(Execution.Ran.class::isInstance).hasSize(1);
            assertThat(executions)
                    .filteredOn(new Execution.Replayed<>("done")::equals)
                    .hasSize(DUPLICATES - 1);
            try (Connection connection = pool.getConnection()) {
                assertThat(OrdersDatabase.text(connection, "SELECT count(*) FROM orders"))
                        .isEqualTo("1");
            }
        }
    }

    /** Something to do that may fail. */
    private interface Attempt {
        Execution<String> run() throws Exception;
    }

    private static List<Execution<String>> together(Attempt attempt) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(DUPLICATES);
        ExecutorService threads = Executors.newFixedThreadPool(DUPLICATES);
        try {
            List<Future<Execution<String>>> futures = new ArrayList<>();
            for (int i = 0; i < DUPLICATES; i++) {
                futures.add(threads.submit(() -> {
                    barrier.await(1, TimeUnit.MINUTES);
                    return attempt.run();
                }));
            }
            List<Execution<String>> executions = new ArrayList<>();
            for (Future<Execution<String>> future : futures) {
                executions.add(future.get(1, TimeUnit.MINUTES));
            }
            return executions;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void work_that_throws_leaves_nothing_behind_and_the_callers_transaction_continues() throws SQLException {
        try (OrdersDatabase database = new OrdersDatabase();
                Connection connection = database.begin()) {
            SemelEngine semel = SemelEngine.on(database.store()).build();
            OrdersDatabase.order(connection, "before");
            assertThatThrownBy(() -> semel.within(connection).executeChecked(INTENT, Codec.text(), attempt -> {
                        OrdersDatabase.order(connection, "within");
                        throw new IllegalStateException("out of stock");
                    }))
                    .hasMessage("out of stock");
            connection.commit();
            assertThat(database.orders()).isEqualTo("before");
            assertThat(semel.find(id("k"))).isEmpty();
        }
    }
}
