package dev.semel.jdbc.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Wraps a data source so that executions of prepared statements, a round trip each, are counted, and their threads noted. */
public final class CountingDataSource {

    private final AtomicLong executions = new AtomicLong();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final boolean everyStatement;
    private final DataSource counted;

    public CountingDataSource(DataSource inner) {
        this(inner, false);
    }

    /** @param everyStatement whether those count that are not prepared, too: BEGIN, COMMIT and savepoints */
    public CountingDataSource(DataSource inner, boolean everyStatement) {
        this.everyStatement = everyStatement;
        this.counted = proxy(DataSource.class, inner);
    }

    public DataSource dataSource() {
        return counted;
    }

    public long executions() {
        return executions.get();
    }

    /** The threads on which statements were executed. */
    public Set<Thread> threads() {
        return Set.copyOf(threads);
    }

    private <T> T proxy(Class<T> type, T inner) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                executions.incrementAndGet();
                threads.add(Thread.currentThread());
            }
            Object result;
            try {
                result = method.invoke(inner, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof SQLException sql ? sql : e;
            }
            if (result instanceof PreparedStatement statement) {
                return proxy(PreparedStatement.class, statement);
            }
            if (everyStatement && result instanceof Statement statement) {
                return proxy(Statement.class, statement);
            }
            return result instanceof Connection connection ? proxy(Connection.class, connection) : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
