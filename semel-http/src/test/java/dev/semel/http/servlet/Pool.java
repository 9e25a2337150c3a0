package dev.semel.http.servlet;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;

/** Connections of a data source, no more than so many at once, whose commits go wrong on demand. */
final class Pool {

    /** What becomes of a commit. */
    enum Commit {
        /** The database rolls back, and says so. */
        FAILS,
        /** The database commits, and nobody hears of it. */
        ANSWER_LOST
    }

    private final DataSource inner;
    private final Semaphore free;
    private final Queue<Commit> next = new ConcurrentLinkedQueue<>();
    private volatile boolean down;
    final CountDownLatch committing = new CountDownLatch(1);
    private volatile CountDownLatch hold = new CountDownLatch(0);

    Pool(DataSource inner, int connections) {
        this.inner = inner;
        this.free = new Semaphore(connections);
    }

    void nextCommit(Commit fate) {
        next.add(fate);
    }

    void holdCommits() {
        hold = new CountDownLatch(1);
    }

    void letCommitsGo() {
        hold.countDown();
    }

    void down() {
        down = true;
    }

    DataSource dataSource() {
        return proxy(DataSource.class, inner, (proxy, method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                return method.invoke(inner, arguments);
            }
            if (down) {
                throw new SQLException("injected: no connection");
            }
            free.acquire();
            return limited((Connection) method.invoke(inner, arguments));
        });
    }

    private Connection limited(Connection connection) {
        return proxy(Connection.class, connection, (proxy, method, arguments) -> {
            if (method.getName().equals("commit")) {
                commit(connection);
                return null;
            }
            if (method.getName().equals("close")) {
                free.release();
            }
            return method.invoke(connection, arguments);
        });
    }

    private void commit(Connection connection) throws Exception {
        committing.countDown();
        hold.await();
        Commit fate = next.poll();
        if (fate == Commit.FAILS) {
            connection.rollback();
        } else {
            connection.commit();
        }
        if (fate != null) {
            throw new SQLException("injected: commit " + fate);
        }
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
