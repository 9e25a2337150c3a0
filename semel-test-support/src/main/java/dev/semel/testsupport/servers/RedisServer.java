package dev.semel.testsupport.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisExecProvider;

/**
 * A Redis server on a free port of loopback and in a temporary directory, which tests can kill, pause and restart.
 *
 * <p>URIs are those of stores: {@code redis://127.0.0.1:PORT}.
 */
public final class RedisServer implements AutoCloseable {

    /** Every confirmed write is on disk, and none is evicted. */
    private static final List<String> DURABLE =
            List.of("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction");

    /** By default a primary waits five seconds for more replicas before it sends its data to the first one. */
    private static final List<String> PROMPT = List.of("--repl-diskless-sync-delay", "0");

    /** A cluster's nodes talk to each other on a port that is this much higher. */
    private static final int CLUSTER_BUS_DISTANCE = 10_000;

    private static final int HIGHEST_PORT = 65_535 - CLUSTER_BUS_DISTANCE;

    private final int port;
    private final Path directory;

    /** The configuration file, or nothing; it precedes all options. */
    private final List<String> file;

    private final List<String> settings;
    private @Nullable Process process;

    private RedisServer(int port, Path directory, List<String> file, List<String> settings) {
        this.port = port;
        this.directory = directory;
        this.file = file;
        this.settings = settings;
    }

    /** The binary, copied out of its jar once. */
    private static final class Binary {
        static final Path PATH = extract();

        private static Path extract() {
            try {
                return RedisExecProvider.defaultProvider().get().toPath();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Starts a server that keeps what it confirms.
     *
     * @param settings options of {@code redis-server} that replace those of this class
     */
    public static RedisServer start(String... settings) {
        List<String> all = new ArrayList<>(DURABLE);
        all.addAll(PROMPT);
        all.addAll(List.of(settings));
        return launch(List.of(), all);
    }

    /** Starts a replica, and waits until it has the primary's data. */
    public static RedisServer startReplicaOf(RedisServer primary, String... settings) {
        List<String> all = new ArrayList<>(List.of("--replicaof", "127.0.0.1 " + primary.port()));
        all.addAll(List.of(settings));
        RedisServer replica = start(all.toArray(String[]::new));
        Await.until(
                "replication",
                () -> replica.info("replication", "master_link_status").equals("up")
                        && primary.info("replication", "slave0").contains("state=online"));
        return replica;
    }

    /** Starts a Sentinel, which reads and writes this file. */
    static RedisServer launchSentinel(Path configuration) {
        return launch(List.of(configuration.toString()), List.of("--sentinel"));
    }

    private static RedisServer launch(List<String> file, List<String> arguments) {
        RedisServer server = new RedisServer(freePort(), Directories.create("semel-redis"), file, arguments);
        server.restart();
        return server;
    }

    /** A port that is free, and whose second port in a cluster is free too. */
    private static int freePort() {
        while (true) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                int port = socket.getLocalPort();
                if (port <= HIGHEST_PORT && isFree(port + CLUSTER_BUS_DISTANCE)) {
                    return port;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts the server, after {@link #kill} on the same port and with the same data. The one place that starts Redis. */
    public void restart() {
        List<String> command = new ArrayList<>(List.of(Binary.PATH.toString()));
        command.addAll(file);
        command.addAll(List.of("--port", String.valueOf(port), "--bind", "127.0.0.1", "--dir", directory.toString()));
        command.addAll(settings);
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            directory.resolve("server.log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Await.until("start of Redis, see " + directory.resolve("server.log"), () -> {
            if (!requireProcess().isAlive()) {
                throw new IllegalStateException("Redis did not start:\n" + log());
            }
            return answers();
        });
    }

    private boolean answers() {
        try {
            return "PONG".equals(call("PING"));
        } catch (UncheckedIOException | IllegalStateException notYet) {
            return false;
        }
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("server.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /**
     * Sends one command on a connection of its own: null, a {@link Long}, a {@link String} or a list of these.
     *
     * @throws IllegalStateException when Redis answers with an error
     */
    public @Nullable Object call(String... command) {
        try (Resp connection = new Resp(port)) {
            return connection.call(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The value of a field of {@code INFO}, or "". */
    public String info(String section, String name) {
        for (String line : String.valueOf(call("INFO", section)).split("\r\n", -1)) {
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1);
            }
        }
        return "";
    }

    /** Ends the server with SIGKILL. What it has confirmed is on disk. */
    public void kill() {
        Process running = requireProcess();
        running.destroyForcibly();
        Await.end(running.toHandle());
    }

    /** Stops the server with SIGSTOP: connections stay open, and none is answered. */
    public void pause() {
        Signals.pause(requireProcess().toHandle());
    }

    /** Lets a paused server continue. */
    public void resume() {
        Signals.resume(requireProcess().toHandle());
    }

    private Process requireProcess() {
        if (process == null) {
            throw new IllegalStateException("this server was never started");
        }
        return process;
    }

    /** Ends the server, and deletes its data. */
    @Override
    public void close() {
        kill();
        Directories.delete(directory);
    }
}
