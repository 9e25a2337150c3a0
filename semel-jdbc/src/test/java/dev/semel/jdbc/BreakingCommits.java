package dev.semel.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Wraps a data source so that the connection can seem to break after a commit was executed. */
final class BreakingCommits {

    private final AtomicInteger toLose = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final DataSource breaking;

    BreakingCommits(DataSource inner) {
        this.breaking = proxy(DataSource.class, inner);
    }

    DataSource dataSource() {
        return breaking;
    }

    /** The next commit is executed, and its answer lost. */
    void loseNextCommit() {
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
            if (arguments != null && "COMMIT".equals(arguments[0]) && toLose.getAndSet(0) == 1) {
                lost.incrementAndGet();
                throw new SQLNonTransientConnectionException("the connection is gone", "08006");
            }
            if (method.getName().equals("createStatement")) {
                return proxy(Statement.class, (Statement) result);
            }
            return result instanceof Connection connection ? proxy(Connection.class, connection) : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
