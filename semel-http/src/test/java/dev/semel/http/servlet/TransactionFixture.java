package dev.semel.http.servlet;

import dev.semel.Operation;
import dev.semel.Operation.ClaimTime;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.http.TransactionRunner;
import jakarta.servlet.ServletRequest;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database, and servers whose requests are transactions on it. */
abstract class TransactionFixture {

    private static final int PLENTY = 64;

    Database database;
    Pool pool;
    private TestServer running;

    abstract Database open() throws Exception;

    @BeforeEach
    void openDatabase() throws Exception {
        database = open();
        pool = new Pool(database.dataSource(), PLENTY);
    }

    @AfterEach
    void close() {
        if (running != null) {
            running.close();
        }
        database.close();
    }

    TestServer server(TestServer.Handler handler) {
        return server(policy -> policy, handler);
    }

    TestServer server(UnaryOperator<RoutePolicyBuilder> policy, TestServer.Handler handler) {
        return server(Operation.named("create-payment"), policy, handler);
    }

    /** When the operations of these servers are claimed. */
    ClaimTime claim() {
        return ClaimTime.EARLY;
    }

    TestServer server(Operation operation, UnaryOperator<RoutePolicyBuilder> policy, TestServer.Handler handler) {
        TransactionRunner runner = TransactionRunner.on(pool.dataSource());
        running = TestServer.settings()
                .store(database.store())
                .route("*", "*", operation.claim(claim()), builder -> policy.apply(builder.inTransaction(runner)))
                .start(handler);
        return running;
    }

    /** Writes a row in the transaction that the request is in. */
    void insert(ServletRequest request, String row) throws SQLException {
        database.insert(SemelFilter.connection(request).orElseThrow(), row);
    }
}
