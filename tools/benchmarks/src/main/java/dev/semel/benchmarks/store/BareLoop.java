package dev.semel.benchmarks.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Operation;
import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.load.AsyncCall;
import dev.semel.benchmarks.load.Call;
import dev.semel.jdbc.postgresql.PostgresOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The limit: the very statements of Semel's PostgreSQL store, on its tables, with as many lanes, and nothing around them: no
 * engine, no leases that are kept alive, no faults that are understood.
 */
final class BareLoop implements AutoCloseable {

    private static final int LANES = PostgresOptions.DEFAULT_LANES;
    private static final Operation OPERATION = Operation.named("bench");
    private static final byte[] RESPONSE = Payload.response();
    private static final int NANOS_PER_MICRO = 1_000;

    private final HikariDataSource pool;
    private final BareLane lane;

    BareLoop(Database database) throws IOException {
        pool = database.pool(LANES);
        String planning = sql("planning").replace(":transaction", "true");
        lane = new BareLane(pool, LANES, planning, List.of(new Claims(sql("claim")), new Settlements(sql("settle"))));
    }

    private static String sql(String name) throws IOException {
        String path = "/dev/semel/jdbc/postgresql/" + name + ".sql";
        try (InputStream in = BareLoop.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IOException(path + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    Call pairs(Keys keys) {
        return () -> {
            String key = keys.next();
            long fence = lane.ask(BareLane.Verb.CLAIM, key, 0).join();
            lane.ask(BareLane.Verb.SETTLE, key, fence).join();
        };
    }

    AsyncCall asyncPairs(Keys keys) {
        return () -> {
            String key = keys.next();
            return lane.ask(BareLane.Verb.CLAIM, key, 0)
                    .thenCompose(fence -> lane.ask(BareLane.Verb.SETTLE, key, fence));
        };
    }

    private record Claims(String sql) implements BareLane.Asking {

        @Override
        public BareLane.Verb verb() {
            return BareLane.Verb.CLAIM;
        }

        /** In the order in which claim.sql unnests them. */
        @Override
        public int bind(PreparedStatement statement, int position, List<BareLane.Asked> batch) throws SQLException {
            long lease = OPERATION.lease().toNanos() / NANOS_PER_MICRO;
            return new ArrayArguments(statement, position, batch)
                    .texts(asked -> Payload.SCOPE)
                    .texts(BareLane.Asked::key)
                    .texts(asked -> OPERATION.name())
                    .texts(asked -> Payload.FINGERPRINT.value())
                    .numbers(asked -> lease)
                    .flags(asked -> false)
                    .texts(BareLane.Asked::holder)
                    .next();
        }

        @Override
        public void read(ResultSet rows, List<BareLane.Asked> batch) throws SQLException {
            Map<String, BareLane.Asked> byHolder = new HashMap<>();
            batch.forEach(asked -> byHolder.put(asked.holder(), asked));
            while (rows.next()) {
                BareLane.Asked asked = byHolder.remove(rows.getString("holder"));
                if (asked != null) {
                    asked.answer().complete(rows.getLong("fence"));
                }
            }
            byHolder.values().forEach(BareLoop::fail);
        }
    }

    private record Settlements(String sql) implements BareLane.Asking {

        @Override
        public BareLane.Verb verb() {
            return BareLane.Verb.SETTLE;
        }

        /** In the order in which settle.sql takes them. */
        @Override
        public int bind(PreparedStatement statement, int position, List<BareLane.Asked> batch) throws SQLException {
            long retention = OPERATION.retention().toNanos() / NANOS_PER_MICRO;
            return new ArrayArguments(statement, position, batch)
                    .text("late")
                    .text("late")
                    .texts(asked -> Payload.SCOPE)
                    .texts(BareLane.Asked::key)
                    .numbers(BareLane.Asked::fence)
                    .texts(asked -> "completed")
                    .bytes(asked -> RESPONSE)
                    .nulls()
                    .numbers(asked -> retention)
                    .next();
        }

        @Override
        public void read(ResultSet rows, List<BareLane.Asked> batch) throws SQLException {
            boolean[] settled = new boolean[batch.size()];
            while (rows.next()) {
                int index = rows.getInt("position") - 1;
                settled[index] = true;
                batch.get(index).answer().complete(batch.get(index).fence());
            }
            for (int index = 0; index < settled.length; index++) {
                if (!settled[index]) {
                    fail(batch.get(index));
                }
            }
        }
    }

    private static void fail(BareLane.Asked asked) {
        CompletableFuture<Long> answer = asked.answer();
        answer.completeExceptionally(new IllegalStateException("the bare loop got no answer for " + asked.key()));
    }

    @Override
    public void close() {
        lane.close();
        pool.close();
    }
}
