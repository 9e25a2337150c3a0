package dev.semel.testkit.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A data source that has one connection, and fails rather than wait when it is asked for a second at the same time. */
final class OneConnection implements AutoCloseable {

    private final Connection connection;
    private boolean lent;

    OneConnection(Connection connection) {
        this.connection = connection;
    }

    DataSource dataSource() {
        return (DataSource) Proxy.newProxyInstance(
                OneConnection.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        return lend();
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    private synchronized Connection lend() throws SQLException {
        if (lent) {
            throw new SQLException("the only connection is in use");
        }
        lent = true;
        return (Connection) Proxy.newProxyInstance(
                OneConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        giveBack();
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private synchronized void giveBack() {
        lent = false;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
