package dev.semel.engine;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.testsupport.stores.ForwardingStore;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store, a data source and its one connection, which record their calls and fail on demand. A claim of
 * a new key is written by the commit, and gone with a rollback; its own transaction sees it before. Everything else is
 * written at once.
 */
final class FakeDatabase extends ForwardingStore implements TransactionalStore {

    final List<String> calls = new ArrayList<>();
    final Set<String> failing = new HashSet<>();

    /** What is done, although it fails. */
    final Set<String> answerLost = new HashSet<>();

    /** Whether the store was asked outside of transactions while the one connection was taken: a pool of one would hang. */
    boolean askedWhileTaken;

    private final MemoryStore memory;
    private boolean taken;
    private boolean autoCommit = true;
    private @Nullable ClaimRequest claimed;
    private @Nullable Outcome settled;
    private Duration retention = Duration.ZERO;

    FakeDatabase(MemoryStore memory) {
        this(memory, memory);
    }

    /** @param outside what is asked outside of transactions, with the same records */
    FakeDatabase(MemoryStore memory, Store outside) {
        super(outside);
        this.memory = memory;
    }

    DataSource dataSource() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    sql(method.getName());
                    taken = true;
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
                        case "commit" -> commit();
                        case "rollback" -> {
                            sql("rollback");
                            rollBack();
                        }
                        case "abort", "close" -> {
                            taken = false;
                            rollBack();
                            sql(method.getName());
                        }
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return null;
                });
    }

    private void commit() throws SQLException {
        if (answerLost.contains("commit")) {
            apply();
        }
        sql("commit");
        apply();
    }

    private void apply() {
        if (claimed != null) {
            ClaimAnswer answer = memory.claim(claimed).toCompletableFuture().join();
            if (settled != null) {
                memory.settle(((ClaimAnswer.Granted) answer).lease(), settled, retention);
            }
        }
        rollBack();
    }

    private void rollBack() {
        claimed = null;
        settled = null;
    }

    private void sql(String call) throws SQLException {
        calls.add(call);
        if (failing.contains(call) || answerLost.contains(call)) {
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
                if (memory.find(request.identity()).toCompletableFuture().join().isPresent()) {
                    return memory.claim(request).toCompletableFuture().join();
                }
                StoredRecord granted = Changes.granted(request, 1, Instant.EPOCH);
                if (claimed != null && settled instanceof Outcome.Completed completed) {
                    return new ClaimAnswer.Recorded(Changes.settled(granted, completed, retention));
                }
                claimed = request;
                return new ClaimAnswer.Granted(granted);
            }

            @Override
            public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
                store("settle " + outcome.getClass().getSimpleName());
                if (claimed != null) {
                    settled = outcome;
                    FakeDatabase.this.retention = retention;
                    return new SettleAnswer.Settled(State.IN_PROGRESS);
                }
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
                rollBack();
            }
        };
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        askedWhileTaken |= taken;
        return super.claim(request);
    }
}
