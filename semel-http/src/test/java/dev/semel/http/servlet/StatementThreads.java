package dev.semel.http.servlet;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** Lists on which thread each statement and each end of a transaction ran, on the connections of a data source. */
final class StatementThreads {

    /** One call to the database. */
    record Call(String what, String thread) {}

    final List<Call> calls = new CopyOnWriteArrayList<>();
    private final DataSource inner;

    StatementThreads(DataSource inner) {
        this.inner = inner;
    }

    DataSource dataSource() {
        return proxy(DataSource.class, inner);
    }

    private <T> T proxy(Class<T> type, T target) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            String name = method.getName();
            if (name.startsWith("execute") || name.equals("commit") || name.equals("rollback")) {
                calls.add(new Call(name, Thread.currentThread().getName()));
            }
            try {
                return watched(method.invoke(target, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(
                Proxy.newProxyInstance(StatementThreads.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private Object watched(Object returned) {
        if (returned instanceof Connection connection) {
            return proxy(Connection.class, connection);
        }
        if (returned instanceof CallableStatement statement) {
            return proxy(CallableStatement.class, statement);
        }
        if (returned instanceof PreparedStatement statement) {
            return proxy(PreparedStatement.class, statement);
        }
        return returned instanceof Statement statement ? proxy(Statement.class, statement) : returned;
    }
}
