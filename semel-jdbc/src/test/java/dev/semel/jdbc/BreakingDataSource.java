package dev.semel.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Wraps a data source so that the connection can seem to break after a statement was executed. */
final class BreakingDataSource {

    private final AtomicInteger toLose = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final DataSource breaking;

    BreakingDataSource(DataSource inner) {
        this.breaking = proxy(DataSource.class, inner);
    }

    DataSource dataSource() {
        return breaking;
    }

    /** The next prepared statement is executed, and its answer lost. */
    void loseNextAnswer() {
        toLose.set(1);
    }

    int lost() {
        return lost.get();
    }

    private <T> T proxy(Class<T> type, T inner) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            Object result;
            try {
                result = method.invoke(inner, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof SQLException sql ? sql : e;
            }
            if (inner instanceof PreparedStatement
                    && method.getName().startsWith("execute")
                    && toLose.getAndSet(0) == 1) {
                lost.incrementAndGet();
                throw new SQLNonTransientConnectionException("the connection is gone", "08006");
            }
            if (result instanceof PreparedStatement statement) {
                return proxy(PreparedStatement.class, statement);
            }
            return result instanceof Connection connection ? proxy(Connection.class, connection) : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
