package dev.semel.http.servlet;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.spi.Transitions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** A database in memory with the part of transactions that the filter uses: the commit writes everything. */
final class FakeDatabase implements Database {

    private final MemoryStore memory = new MemoryStore();
    private final List<String> rows = new CopyOnWriteArrayList<>();
    private final Map<Identity, Semaphore> locks = new ConcurrentHashMap<>();
    private volatile boolean settling = true;

    private interface Call {
        Object on(Method method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Call call, Class<?>... more) {
        List<Class<?>> types = new ArrayList<>(List.of(more));
        types.add(type);
        return type.cast(Proxy.newProxyInstance(
                FakeDatabase.class.getClassLoader(), types.toArray(Class<?>[]::new), (proxy, method, arguments) -> {
                    try {
                        return call.on(method, arguments == null ? new Object[0] : arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Override
    public DataSource dataSource() {
        return proxy(DataSource.class, (method, arguments) -> new Transaction().connection());
    }

    @Override
    public Store store() {
        return proxy(
                TransactionalStore.class,
                (method, arguments) -> method.getName().equals("within")
                        ? ((Connection) arguments[0]).unwrap(Transaction.class).store((Duration) arguments[1])
                        : method.invoke(memory, arguments),
                Store.class);
    }

    @Override
    public void insert(Connection connection, String row) throws java.sql.SQLException {
        connection.unwrap(Transaction.class).written.add(row);
    }

    @Override
    public List<String> rows() {
        return List.copyOf(rows);
    }

    @Override
    public void close() {}

    /** Lets every settlement within a transaction fail, which leaves the transaction as it is. */
    void refuseSettlements() {
        settling = false;
    }

    private final class Transaction {

        private final List<String> written = new ArrayList<>();
        private final List<Semaphore> held = new ArrayList<>();
        private ClaimRequest claim;
        private Outcome outcome;
        private Duration retention;
        private boolean autoCommit = true;

        Connection connection() {
            return proxy(Connection.class, (method, arguments) -> switch (method.getName()) {
                case "getAutoCommit" -> autoCommit;
                case "setAutoCommit" -> {
                    // As JDBC specifies: the open transaction is committed.
                    if (autoCommit != (boolean) arguments[0]) {
                        commit();
                    }
                    autoCommit = (boolean) arguments[0];
                    yield null;
                }
                case "commit" -> {
                    commit();
                    yield null;
                }
                case "rollback", "close", "abort" -> {
                    end();
                    yield null;
                }
                case "unwrap" -> this;
                default -> throw new UnsupportedOperationException(method.toString());
            });
        }

        private void commit() {
            rows.addAll(written);
            if (claim != null) {
                ClaimAnswer.Granted granted = (ClaimAnswer.Granted)
                        memory.claim(claim).toCompletableFuture().join();
                if (outcome != null) {
                    memory.settle(granted.lease(), outcome, retention);
                }
            }
            end();
        }

        private void end() {
            undo();
            held.forEach(Semaphore::release);
            held.clear();
        }

        private void undo() {
            written.clear();
            claim = null;
            outcome = null;
        }

        StoreTransaction store(Duration maxWait) {
            return new StoreTransaction() {

                @Override
                public ClaimAnswer claim(ClaimRequest request) {
                    return Transaction.this.claim(request, maxWait);
                }

                @Override
                public SettleAnswer settle(Lease lease, Outcome newOutcome, Duration newRetention) {
                    if (!settling) {
                        throw new StoreException("injected: settle");
                    }
                    outcome = newOutcome;
                    retention = newRetention;
                    return new SettleAnswer.Settled(State.IN_PROGRESS);
                }

                @Override
                public void undoWork() {
                    written.clear();
                }

                @Override
                public void undoClaim() {
                    undo();
                }
            };
        }

        private ClaimAnswer claim(ClaimRequest request, Duration maxWait) {
            if (!lock(request.identity(), maxWait)) {
                return new ClaimAnswer.Busy(maxWait);
            }
            StoredRecord current =
                    memory.find(request.identity()).toCompletableFuture().join().orElse(null);
            Transitions.ClaimDecision decision = current == null
                    ? Transitions.onAbsent(request, Transitions.Deleted.NONE, Instant.now())
                    : Transitions.onClaim(current, request, Transitions.Deleted.NONE);
            return switch (decision) {
                case GRANT_NEW, GRANT_AGAIN -> {
                    claim = request;
                    yield new ClaimAnswer.Granted(Changes.granted(request, 1, Instant.EPOCH));
                }
                default -> memory.claim(request).toCompletableFuture().join();
            };
        }

        private boolean lock(Identity identity, Duration maxWait) {
            Semaphore lock = locks.computeIfAbsent(identity, id -> new Semaphore(1));
            if (held.contains(lock)) {
                return true;
            }
            try {
                boolean locked = lock.tryAcquire(maxWait.toMillis(), TimeUnit.MILLISECONDS);
                if (locked) {
                    held.add(lock);
                }
                return locked;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
