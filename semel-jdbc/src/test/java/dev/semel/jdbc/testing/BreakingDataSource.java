package dev.semel.jdbc.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Wraps a data source so that the connection can seem to break after a statement was executed. */
public final class BreakingDataSource {

    /** The statement whose answer does not arrive. */
    private enum Lost {
        NONE,
        PREPARED,
        COMMIT
    }

    private final AtomicReference<Lost> next = new AtomicReference<>(Lost.NONE);
    private final AtomicInteger lost = new AtomicInteger();
    private final DataSource breaking;

    public BreakingDataSource(DataSource inner) {
        this.breaking = proxy(DataSource.class, inner);
    }

    public DataSource dataSource() {
        return breaking;
    }

    /** The next prepared statement is executed, and its answer lost. */
    public void loseNextAnswer() {
        next.set(Lost.PREPARED);
    }

    /** The next {@code COMMIT} is executed, and its answer lost. */
    public void loseNextCommit() {
        next.set(Lost.COMMIT);
    }

    public int lost() {
        return lost.get();
    }

    private boolean isLost(Object statement, Object @Nullable [] arguments) {
        if (statement instanceof PreparedStatement) {
            return next.compareAndSet(Lost.PREPARED, Lost.NONE);
        }
        return arguments != null && "COMMIT".equals(arguments[0]) && next.compareAndSet(Lost.COMMIT, Lost.NONE);
    }

    private <T> T proxy(Class<T> type, T inner) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            Object result;
            try {
                result = method.invoke(inner, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof SQLException sql ? sql : e;
            }
            if (method.getName().startsWith("execute") && isLost(inner, arguments)) {
                lost.incrementAndGet();
                throw new SQLNonTransientConnectionException("the connection is gone", "08006");
            }
            if (result instanceof PreparedStatement statement) {
                return proxy(PreparedStatement.class, statement);
            }
            if (method.getName().equals("createStatement")) {
                return proxy(Statement.class, (Statement) result);
            }
            return result instanceof Connection connection ? proxy(Connection.class, connection) : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
