package dev.semel.jdbc.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Data sources on which MySQL's clock can be moved: what statements ask it, they ask of a clock that is ahead.
 *
 * <p>A session could be given another time by {@code SET timestamp}, but that one stands still.
 */
public final class MovedDataSource {

    private static final String CLOCK = "UTC_TIMESTAMP(6)";

    private final AtomicLong passedMicros = new AtomicLong();

    /** The same connections, with the moved clock. */
    public DataSource of(DataSource inner) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object result = invoke(() -> method.invoke(inner, arguments));
                    return result instanceof Connection connection ? of(connection) : result;
                });
    }

    private Connection of(Connection inner) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        Object[] moved = arguments.clone();
                        moved[0] = ((String) moved[0])
                                .replace(CLOCK, "(" + CLOCK + " + INTERVAL " + passedMicros.get() + " MICROSECOND)");
                        return invoke(() -> method.invoke(inner, moved));
                    }
                    return invoke(() -> method.invoke(inner, arguments));
                });
    }

    /** A call by reflection. */
    private interface Call {
        Object call() throws ReflectiveOperationException;
    }

    private static Object invoke(Call call) throws Throwable {
        try {
            return call.call();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    public void elapse(Duration duration) {
        passedMicros.addAndGet(TimeUnit.MICROSECONDS.convert(duration));
    }
}
