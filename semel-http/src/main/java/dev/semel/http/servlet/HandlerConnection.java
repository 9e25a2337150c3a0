package dev.semel.http.servlet;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a transaction as its handler sees it. Commits are refused, since they would separate the handler's writes
 * from their record; closing does nothing, as with the connections of a transaction-aware data source. Savepoints are
 * passed on.
 */
final class HandlerConnection implements InvocationHandler {

    private final Connection connection;

    private HandlerConnection(Connection connection) {
        this.connection = connection;
    }

    static Connection of(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                HandlerConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new HandlerConnection(connection));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        int count = arguments == null ? 0 : arguments.length;
        return switch (method.getName()) {
            case "equals" -> arguments != null && arguments[0] == proxy;
            case "close" -> null;
            case "commit", "setAutoCommit", "abort" -> throw refusal(method);
            case "rollback" -> {
                if (count == 0) {
                    throw refusal(method);
                }
                yield passOn(method, arguments);
            }
            default -> passOn(method, arguments);
        };
    }

    private @Nullable Object passOn(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static SQLException refusal(Method method) {
        return new SQLException(method.getName() + "() is refused: the transaction of this request commits with its"
                + " record when the handler has returned, and rolls back when it throws");
    }
}
