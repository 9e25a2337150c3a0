package dev.semel.benchmarks.search;

import com.sun.management.OperatingSystemMXBean;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.database.Dialect;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The processor time of this process, and of the processes of a PostgreSQL server on this machine. */
final class ProcessorClock implements AutoCloseable {

    private static final String PIDS = "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()";

    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final @Nullable HikariDataSource server;

    private ProcessorClock(@Nullable HikariDataSource server) {
        this.server = server;
    }

    static ProcessorClock of(Database database) throws SQLException {
        if (database.dialect() != Dialect.POSTGRESQL) {
            return new ProcessorClock(null);
        }
        HikariDataSource pool = database.pool(1);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            if (isPostgres(row.getLong(1))) {
                return new ProcessorClock(pool);
            }
        }
        pool.close();
        return new ProcessorClock(null);
    }

    /** On another machine, or in a container, the number means another process or none. */
    private static boolean isPostgres(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "comm"))
                    .startsWith("postgres");
        } catch (IOException e) {
            return false;
        }
    }

    boolean seesServer() {
        return server != null;
    }

    /** What each process has used until now, in nanoseconds. */
    record Reading(Map<Long, Long> nanos) {

        /** Of the processes that are still there. */
        long nanosSince(Reading before) {
            long sum = 0;
            for (Map.Entry<Long, Long> each : nanos.entrySet()) {
                sum += each.getValue() - before.nanos.getOrDefault(each.getKey(), 0L);
            }
            return sum;
        }
    }

    Reading read() throws SQLException {
        Map<Long, Long> nanos = new HashMap<>();
        nanos.put(ProcessHandle.current().pid(), process.getProcessCpuTime());
        if (server != null) {
            try (Connection connection = server.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(PIDS)) {
                while (rows.next()) {
                    nanos.put(rows.getLong(1), nanosOf(rows.getLong(1)));
                }
            }
        }
        return new Reading(nanos);
    }

    /** Where Linux counts nanoseconds; elsewhere in hundredths of a second, which for many processes is coarse. */
    private static long nanosOf(long pid) {
        try {
            String counted = Files.readString(Path.of("/proc", Long.toString(pid), "schedstat"));
            return Long.parseLong(counted.substring(0, counted.indexOf(' ')));
        } catch (IOException e) {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().totalCpuDuration())
                    .orElse(Duration.ZERO)
                    .toNanos();
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
