package dev.semel.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** The processor time of a database server on this machine. */
@FunctionalInterface
public interface ServerClock {

    /** There is no server whose time could be read. */
    ServerClock NONE = () -> 0;

    /** What it has used until now, in nanoseconds. */
    long nanos();

    /** The clock of this database's server, if it is a PostgreSQL whose processes can be seen from here. */
    static ServerClock of(Database database) throws SQLException {
        if (database.dialect() != Dialect.POSTGRESQL) {
            return NONE;
        }
        try (HikariDataSource pool = database.pool(1);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            Optional<ProcessHandle> server = ProcessHandle.of(row.getLong(1))
                    .filter(ServerClock::isPostgres)
                    .flatMap(ProcessHandle::parent);
            return server.isEmpty() ? NONE : () -> ProcessTicks.ofFamily(server.get());
        }
    }

    /** On another machine, or in a container, the number means another process or none. */
    private static boolean isPostgres(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "comm"))
                    .startsWith("postgres");
        } catch (IOException e) {
            return false;
        }
    }
}
