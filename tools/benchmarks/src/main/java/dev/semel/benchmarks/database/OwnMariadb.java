package dev.semel.benchmarks.database;

import dev.semel.jdbc.StoreUri;
import dev.semel.testsupport.servers.MariadbServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** A MariaDB server that is started for the run and keeps what it confirms. */
final class OwnMariadb {

    /**
     * MariaDB's defaults are for the smallest machines. Every contender has a pool of connections of its own, and only one of
     * them is busy at a time.
     */
    private static final String[] SETTINGS = {
        "--skip-log-bin", "--innodb-buffer-pool-size=512M", "--innodb-log-file-size=1G", "--max-connections=400"
    };

    private OwnMariadb() {}

    static OwnServer start() throws IOException, SQLException {
        return OwnServer.start(OwnMariadb::launched);
    }

    private static OwnServer.Running launched(Path directory) throws SQLException {
        MariadbServer server = MariadbServer.start(directory, SETTINGS);
        try {
            MysqlDatabases databases = new MysqlDatabases((StoreUri.Mysql) StoreUri.parse(server.uri()));
            return new OwnServer.Running(databases, server::close);
        } catch (SQLException | RuntimeException e) {
            server.close();
            throw e;
        }
    }
}
