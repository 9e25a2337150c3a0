package dev.semel.jdbc.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Data sources whose connections are prepared in some way before they are used. */
public final class Connections {

    private Connections() {}

    /** What is done to each new connection. */
    public interface Preparation {
        void prepare(Connection connection) throws SQLException;
    }

    /** Runs an action before each connection is opened. */
    public static DataSource eachAskedOf(DataSource inner, Runnable action) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    try {
                        if (method.getName().equals("getConnection")) {
                            action.run();
                        }
                        return method.invoke(inner, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    public static DataSource eachOf(DataSource inner, Preparation preparation) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(inner, arguments);
                        if (result instanceof Connection connection) {
                            preparation.prepare(connection);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
