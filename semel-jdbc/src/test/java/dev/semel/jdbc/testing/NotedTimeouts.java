package dev.semel.jdbc.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** Wraps a data source, and notes the network time-out of its connections: when a statement is made, and when they are closed. */
public final class NotedTimeouts {

    private final List<Integer> whileUsed = new CopyOnWriteArrayList<>();
    private final List<Integer> afterUse = new CopyOnWriteArrayList<>();
    private final DataSource dataSource;

    public NotedTimeouts(DataSource inner) {
        this.dataSource = proxy(DataSource.class, inner);
    }

    public DataSource dataSource() {
        return dataSource;
    }

    public List<Integer> whileUsed() {
        return whileUsed;
    }

    public List<Integer> afterUse() {
        return afterUse;
    }

    public void clear() {
        whileUsed.clear();
        afterUse.clear();
    }

    private <T> T proxy(Class<T> type, T inner) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (inner instanceof Connection connection) {
                if (method.getName().equals("prepareStatement")) {
                    whileUsed.add(connection.getNetworkTimeout());
                } else if (method.getName().equals("close")) {
                    afterUse.add(connection.getNetworkTimeout());
                }
            }
            try {
                Object result = method.invoke(inner, arguments);
                return result instanceof Connection connection ? proxy(Connection.class, connection) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof SQLException sql ? sql : e;
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
