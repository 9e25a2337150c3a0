package dev.semel.testkit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose commits fail on demand, for tests of what an application's caller gets then.
 *
 * <p>Thread-safe.
 */
public final class FaultyDataSource {

    /** How a commit fails. */
    public enum Fault {
        /** The database rolls back, and reports it. */
        COMMIT_REFUSED,
        /** The database commits, and the connection is lost before it can confirm that. */
        COMMIT_ANSWER_LOST,
        /** The connection is lost before the commit is sent: the database rolls back when it notices. */
        COMMIT_NOT_SENT,
        /** Neither the commit nor the rollback after it happens: the transaction is open until the connection ends. */
        ROLLBACK_REFUSED
    }

    private static final Set<String> OF_A_LOST_CONNECTION = Set.of("close", "abort", "isClosed", "isValid");

    private final DataSource inner;
    private final Queue<Fault> next = new ConcurrentLinkedQueue<>();
    private final Set<FaultyConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean down;

    public FaultyDataSource(DataSource inner) {
        this.inner = inner;
    }

    /** The connections that fail. */
    public DataSource dataSource() {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                return invoke(inner, method, arguments);
            }
            if (down) {
                throw new SQLException("injected: no connection");
            }
            Object opened = Objects.requireNonNull(invoke(inner, method, arguments));
            FaultyConnection connection = new FaultyConnection((Connection) opened);
            open.add(connection);
            return proxy(Connection.class, connection);
        });
    }

    /** Injects a fault into the next commit that has none yet. */
    public void failNext(Fault fault) {
        next.add(fault);
    }

    /** Loses every open connection, with its transaction. */
    public void loseConnections() throws SQLException {
        for (FaultyConnection connection : open) {
            connection.lose();
        }
    }

    /** Refuses connections until {@link #up()}. */
    public void down() {
        down = true;
    }

    public void up() {
        down = false;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(FaultyDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private final class FaultyConnection implements InvocationHandler {

        private final Connection connection;
        private volatile boolean lost;
        private volatile boolean rollbackRefused;

        FaultyConnection(Connection connection) {
            this.connection = connection;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            String name = method.getName();
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(this, arguments);
            }
            if (lost && !OF_A_LOST_CONNECTION.contains(name)) {
                throw new SQLNonTransientConnectionException("injected: the connection is lost", "08006");
            }
            if (name.equals("commit")) {
                commit(next.poll());
                return null;
            }
            if (name.equals("rollback") && arguments == null && rollbackRefused) {
                throw new SQLException("injected: rollback");
            }
            if (name.equals("close")) {
                open.remove(this);
            }
            return FaultyDataSource.invoke(connection, method, arguments);
        }

        private void commit(@Nullable Fault fault) throws SQLException {
            if (fault == null) {
                connection.commit();
                return;
            }
            switch (fault) {
                case COMMIT_REFUSED -> connection.rollback();
                case COMMIT_ANSWER_LOST -> {
                    connection.commit();
                    lose();
                }
                case COMMIT_NOT_SENT -> lose();
                case ROLLBACK_REFUSED -> rollbackRefused = true;
            }
            throw new SQLException("injected: " + fault);
        }

        private void lose() throws SQLException {
            if (lost) {
                return;
            }
            lost = true;
            connection.abort(Runnable::run);
            try {
                // Not every driver implements abort; to close rolls back as well.
                connection.close();
            } catch (SQLException closedAlready) {
                // It is aborted.
            }
        }
    }
}
