package dev.semel.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.testkit.ManualTime;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A batch of 500 messages on PostgreSQL")
class InboxRoundTripsIT {

    private static final List<String> BATCH =
            IntStream.range(0, 500).mapToObj(i -> "m" + i).toList();

    private final AtomicInteger roundTrips = new AtomicInteger();
    private final AtomicInteger effects = new AtomicInteger();

    @Test
    void takes_two_round_trips_when_all_are_new_and_one_when_all_are_duplicates() throws Exception {
        try (HikariDataSource pool = TestDatabases.pool(TestDatabases.newDatabase());
                SemelEngine semel = SemelEngine.on(new PostgresStore(counted(DataSource.class, pool)))
                        .timer(new ManualTime())
                        .build()) {
            Inbox<String> inbox = Inbox.of(
                            semel,
                            "mailer",
                            (String id) -> MessageIdentity.withId(id, id.getBytes(StandardCharsets.UTF_8)))
                    .build();
            assertThat(roundTripsOf(inbox)).isEqualTo(2);
            assertThat(effects).hasValue(500);
            assertThat(roundTripsOf(inbox)).isEqualTo(1);
            assertThat(effects).hasValue(500);
        }
    }

    private int roundTripsOf(Inbox<String> inbox) {
        int before = roundTrips.get();
        List<Delivery> deliveries = inbox.handleAll(BATCH, id -> 0, (id, attempt) -> effects.incrementAndGet());
        assertThat(deliveries).hasSize(500).allMatch(delivery -> delivery instanceof Delivery.Acknowledge);
        return roundTrips.get() - before;
    }

    /** Every execution of a prepared statement is a round trip. */
    private <T> T counted(Class<T> type, T inner) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                roundTrips.incrementAndGet();
            }
            Object result;
            try {
                result = method.invoke(inner, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            if (result instanceof PreparedStatement statement) {
                return counted(PreparedStatement.class, statement);
            }
            return result instanceof Connection connection ? counted(Connection.class, connection) : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
