package dev.semel.engine;

import dev.semel.Expiry;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.memory.MemoryStore;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.TransactionalStore;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;

/**
 * A store, a data source and its one connection, which note what is done to them and fail where they are told to. Nothing
 * is ever rolled back: whether the engine asks for it is all that is seen here.
 */
final class FakeDatabase implements TransactionalStore {

    final List<String> calls = new ArrayList<>();
    final Set<String> failing = new HashSet<>();
    private final MemoryStore memory;
    private boolean autoCommit = true;

    FakeDatabase(MemoryStore memory) {
        this.memory = memory;
    }

    DataSource dataSource() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    sql(method.getName());
                    return connection();
                });
    }

    Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "getAutoCommit" -> {
                            return autoCommit;
                        }
                        case "setAutoCommit" -> {
                            sql("autoCommit " + arguments[0]);
                            autoCommit = (boolean) arguments[0];
                        }
                        case "commit", "rollback", "abort", "close" -> sql(method.getName());
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return null;
                });
    }

    private void sql(String call) throws SQLException {
        calls.add(call);
        if (failing.contains(call)) {
            throw new SQLException("injected: " + call);
        }
    }

    private void store(String call) {
        calls.add(call);
        if (failing.contains(call)) {
            throw new StoreException("injected: " + call);
        }
    }

    @Override
    public StoreTransaction within(Connection connection, Duration maxWait) {
        return new StoreTransaction() {
            @Override
            public ClaimAnswer claim(ClaimRequest request) {
                store("claim");
                return memory.claim(request).toCompletableFuture().join();
            }

            @Override
            public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
                store("settle " + outcome.getClass().getSimpleName());
                return memory.settle(lease, outcome, retention)
                        .toCompletableFuture()
                        .join();
            }

            @Override
            public void undoWork() {
                store("undoWork");
            }

            @Override
            public void undoClaim() {
                store("undoClaim");
            }
        };
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return memory.claim(request);
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return memory.settle(lease, outcome, retention);
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return memory.renew(lease, duration);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return memory.find(identity);
    }

    @Override
    public CompletionStage<Integer> prune(int limit, Expiry expiry) {
        return memory.prune(limit, expiry);
    }

    @Override
    public void close() {
        memory.close();
    }
}
