package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Between a store and the driver: gives the nodes another time, counts what is sent, and lets it fail. */
final class Between {

    /** What becomes of a statement on its way. */
    interface Faults {

        /** Sends it, or not, and answers. */
        CompletionStage<AsyncResultSet> on(
                Statement<?> statement, Function<Statement<?>, CompletionStage<AsyncResultSet>> send);
    }

    private final CqlSession real;
    private final AtomicLong sent = new AtomicLong();
    private volatile UnaryOperator<Instant> time = told -> told;
    private volatile Faults faults = (statement, send) -> send.apply(statement);

    Between(CqlSession real) {
        this.real = real;
    }

    /** What the nodes tell from now on. */
    void tell(UnaryOperator<Instant> other) {
        time = other;
    }

    void fail(Faults other) {
        faults = other;
    }

    /** How many statements were sent; questions for the time, which are asked every ten seconds, do not count. */
    long sent() {
        return sent.get();
    }

    CqlSession session() {
        return proxy(CqlSession.class, (self, method, arguments) -> {
            if (method.getName().equals("executeAsync") && arguments[0] instanceof Statement<?> statement) {
                if (!isClock(statement)) {
                    sent.incrementAndGet();
                }
                return faults.on(statement, real::executeAsync).thenApply(this::rows);
            }
            return invoke(real, method, arguments);
        });
    }

    static boolean isClock(Statement<?> statement) {
        return statement instanceof SimpleStatement simple && simple.getQuery().contains("system.local");
    }

    /** Whether this is a conditional write. */
    static boolean isWrite(Statement<?> statement) {
        return statement instanceof BoundStatement bound
                && bound.getPreparedStatement().getQuery().startsWith("UPDATE");
    }

    private AsyncResultSet rows(AsyncResultSet rows) {
        return proxy(AsyncResultSet.class, (self, method, arguments) -> switch (method.getName()) {
            case "one" -> row(rows.one());
            case "currentPage" ->
                (Iterable<Row>) () -> StreamSupport.stream(rows.currentPage().spliterator(), false)
                        .map(this::row)
                        .map(Objects::requireNonNull)
                        .iterator();
            case "fetchNextPage" -> rows.fetchNextPage().thenApply(this::rows);
            default -> invoke(rows, method, arguments);
        });
    }

    private @Nullable Row row(@Nullable Row row) {
        return row == null
                ? null
                : proxy(
                        Row.class,
                        (self, method, arguments) -> method.getName().equals("getInstant")
                                ? time.apply((Instant) invoke(row, method, arguments))
                                : invoke(row, method, arguments));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(Between.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoke(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    /** A statement that was carried out, and whose answer got lost. */
    static CompletionStage<AsyncResultSet> afterwards(CompletionStage<AsyncResultSet> answer, Throwable fault) {
        return answer.handle((rows, thrown) -> fault).thenCompose(CompletableFuture::failedFuture);
    }
}
