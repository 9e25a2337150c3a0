package dev.semel.benchmarks.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** A server of this run's own, in a temporary directory: both are gone when the run is over. */
final class OwnServer implements Databases {

    private final Path directory;
    private final Running server;

    private OwnServer(Path directory, Running server) {
        this.directory = directory;
        this.server = server;
    }

    /** A server that was started, as a place for databases. */
    record Running(Databases databases, Stop stop) {}

    /** Stops a server, and returns when it has stopped; perhaps it has before. */
    @FunctionalInterface
    interface Stop {
        void stop() throws IOException;
    }

    /** Starts a server whose files are in this directory; leaves none running when it fails. */
    @FunctionalInterface
    interface Launch {
        Running launch(Path directory) throws IOException, SQLException;
    }

    static OwnServer start(Launch launch) throws IOException, SQLException {
        Path directory = Files.createTempDirectory("semel-bench-");
        try {
            return new OwnServer(directory, launch.launch(directory));
        } catch (IOException | SQLException | RuntimeException e) {
            Directories.delete(directory);
            throw e;
        }
    }

    @Override
    public Dialect dialect() {
        return server.databases().dialect();
    }

    @Override
    public String description() {
        return server.databases().description() + ", started for this run";
    }

    @Override
    public Database create(String name) throws IOException, SQLException {
        return server.databases().create(name);
    }

    @Override
    public void close() throws IOException {
        server.stop().stop();
        Directories.delete(directory);
    }
}
