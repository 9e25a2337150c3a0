package dev.semel.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisExecProvider;

/** A Redis server of one's own, on a free port of loopback and in a directory of its own, which can be broken and mended. */
public final class RedisServer implements AutoCloseable {

    /** What a server needs so as to keep what it has confirmed. */
    private static final List<String> DURABLE =
            List.of("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction");

    /** By default a primary waits five seconds for more replicas before it gives the first one its data. */
    private static final List<String> PROMPT = List.of("--repl-diskless-sync-delay", "0");

    /** A cluster's nodes talk to each other on a port that is this much higher. */
    private static final int CLUSTER_BUS_DISTANCE = 10_000;

    private static final int HIGHEST_PORT = 65_535 - CLUSTER_BUS_DISTANCE;

    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private static final long PAUSE_MILLIS = 5;

    private final int port;
    private final Path directory;

    /** What stands before all options, since it names a file. */
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

    /** Starts a server that keeps what it confirms; settings that are given here come after, and win. */
    public static RedisServer start(String... settings) {
        return startOn(freePort(), settings);
    }

    static RedisServer startOn(int port, String... settings) {
        List<String> all = new ArrayList<>(DURABLE);
        all.addAll(PROMPT);
        all.addAll(List.of(settings));
        return launch(port, all);
    }

    /** Starts a server that has what another has, and waits until it does. */
    public static RedisServer startReplicaOf(RedisServer primary, String... settings) {
        List<String> all = new ArrayList<>(List.of("--replicaof", "127.0.0.1 " + primary.port()));
        all.addAll(List.of(settings));
        RedisServer replica = start(all.toArray(String[]::new));
        awaitCondition(
                "replication",
                () -> replica.info("replication", "master_link_status").equals("up")
                        && primary.info("replication", "slave0").contains("state=online"));
        return replica;
    }

    private static RedisServer launch(int port, List<String> arguments) {
        return launch(port, List.of(), arguments);
    }

    /** Starts the binary as a Sentinel, which reads and writes this file. */
    static RedisServer launchSentinel(Path configuration) {
        return launch(freePort(), List.of(configuration.toString()), List.of("--sentinel"));
    }

    private static RedisServer launch(int port, List<String> file, List<String> arguments) {
        RedisServer server = new RedisServer(port, newDirectory(), file, arguments);
        server.restart();
        return server;
    }

    private static Path newDirectory() {
        try {
            return Files.createTempDirectory("semel-redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port that nobody listens on, and for which a cluster's second port exists as well. */
    static int freePort() {
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

    /** Starts it again, on the port and with the data that it had. */
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
        awaitCondition("start of Redis, see " + directory.resolve("server.log"), () -> {
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

    static void awaitCondition(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LONGEST_START.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("waited in vain for: " + what);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for: " + what, e);
            }
        }
    }

    public int port() {
        return port;
    }

    /** As a store's URI. */
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

    /** What {@code INFO} says under this name. */
    public String info(String section, String name) {
        for (String line : String.valueOf(call("INFO", section)).split("\r\n", -1)) {
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1);
            }
        }
        return "";
    }

    /** Ends it as {@code kill -9} does; what it has confirmed is on its disk. */
    public void kill() {
        Process running = requireProcess();
        running.destroyForcibly();
        awaitEnd(running);
    }

    /** Stops it in its tracks: connections stay, nobody answers. */
    public void pause() {
        signal("STOP");
    }

    /** Lets it go on after {@link #pause}. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process sent = new ProcessBuilder(
                            "kill", "-" + name, String.valueOf(requireProcess().pid()))
                    .start();
            awaitEnd(sent);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitEnd(Process ending) {
        try {
            ending.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Process requireProcess() {
        if (process == null) {
            throw new IllegalStateException("this server was never started");
        }
        return process;
    }

    /** Ends it, and removes its data. */
    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.deleteIfExists(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
