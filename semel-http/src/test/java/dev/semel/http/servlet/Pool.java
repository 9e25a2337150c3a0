package dev.semel.http.servlet;

import dev.semel.testkit.FaultyDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;

/** A limited number of connections of a data source, whose commits fail on demand. */
final class Pool {

    private final FaultyDataSource faulty;
    private final DataSource inner;
    private final Semaphore free;
    final CountDownLatch committing = new CountDownLatch(1);
    private volatile CountDownLatch hold = new CountDownLatch(0);

    Pool(DataSource inner, int connections) {
        this.faulty = new FaultyDataSource(inner);
        this.inner = faulty.dataSource();
        this.free = new Semaphore(connections);
    }

    void nextCommit(FaultyDataSource.Fault fate) {
        faulty.failNext(fate);
    }

    void loseConnections() throws SQLException {
        faulty.loseConnections();
    }

    void holdCommits() {
        hold = new CountDownLatch(1);
    }

    void letCommitsGo() {
        hold.countDown();
    }

    void down() {
        faulty.down();
    }

    DataSource dataSource() {
        return proxy(DataSource.class, inner, (proxy, method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                return method.invoke(inner, arguments);
            }
            free.acquire();
            try {
                return limited((Connection) method.invoke(inner, arguments));
            } catch (InvocationTargetException e) {
                free.release();
                throw e;
            }
        });
    }

    private Connection limited(Connection connection) {
        return proxy(Connection.class, connection, (proxy, method, arguments) -> {
            if (method.getName().equals("commit")) {
                committing.countDown();
                hold.await();
            }
            if (method.getName().equals("close")) {
                free.release();
            }
            return method.invoke(connection, arguments);
        });
    }

    private static <T> T proxy(Class<T> type, T target, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                Pool.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return handler.invoke(target, method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
