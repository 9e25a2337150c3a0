package dev.semel.testsupport.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A real node of Cassandra on an address of loopback, as a process with a small heap. */
public final class CassandraNode implements AutoCloseable {

    private static final String CLASS_PATH = "/dev/semel/cassandra-node.classpath";

    /** The three tokens that divide the ring evenly. */
    private static final List<String> TOKENS =
            List.of("-9223372036854775808", "-3074457345618258603", "3074457345618258602");

    /** What Cassandra's own start-up script opens of the JDK. */
    private static final List<String> OPENED = List.of(
            "java.base/java.io",
            "java.base/java.lang",
            "java.base/java.lang.module",
            "java.base/java.lang.reflect",
            "java.base/java.nio",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "java.base/jdk.internal.loader",
            "java.base/jdk.internal.math",
            "java.base/jdk.internal.misc",
            "java.base/jdk.internal.module",
            "java.base/jdk.internal.ref",
            "java.base/jdk.internal.reflect",
            "java.base/jdk.internal.util.jar",
            "java.base/sun.nio.ch",
            "java.management.rmi/com.sun.jmx.remote.internal.rmi",
            "java.rmi/sun.rmi.registry",
            "java.rmi/sun.rmi.server",
            "java.rmi/sun.rmi.transport.tcp",
            "jdk.management/com.sun.management.internal");

    private final Path directory;
    private final String host;
    private final int port;
    private final int jmxPort;
    private @Nullable Process process;

    CassandraNode(Path directory, int number, int storagePort, int port, int jmxPort) {
        this.directory = directory;
        this.host = "127.0.0." + number;
        this.port = port;
        this.jmxPort = jmxPort;
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("cassandra.yaml"), yaml(TOKENS.get(number - 1), storagePort));
            Files.writeString(directory.resolve("logback.xml"), logback());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String yaml(String token, int storagePort) {
        return """
                cluster_name: semel
                num_tokens: 1
                initial_token: %1$s
                auto_bootstrap: false
                partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                endpoint_snitch: SimpleSnitch
                seed_provider:
                  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                    parameters:
                      - seeds: "127.0.0.1"
                listen_address: %2$s
                rpc_address: %2$s
                storage_port: %3$d
                native_transport_port: %4$d
                data_file_directories: ["%5$s/data"]
                commitlog_directory: "%5$s/commitlog"
                saved_caches_directory: "%5$s/caches"
                hints_directory: "%5$s/hints"
                cdc_raw_directory: "%5$s/cdc"
                commitlog_sync: periodic
                commitlog_sync_period: 10000ms
                disk_access_mode: standard
                # Mapped into memory: what a killed process has confirmed is with the kernel.
                commitlog_disk_access_mode: legacy
                memtable_heap_space: 16MiB
                memtable_offheap_space: 16MiB
                key_cache_size: 2MiB
                file_cache_size: 16MiB
                concurrent_reads: 8
                concurrent_writes: 8
                cas_contention_timeout: 1000ms
                write_request_timeout: 2000ms
                read_request_timeout: 3000ms
                auto_snapshot: false
                """.formatted(token, host, storagePort, port, directory);
    }

    private String logback() {
        return """
                <configuration>
                  <appender name="file" class="ch.qos.logback.core.FileAppender">
                    <file>%s/system.log</file>
                    <encoder><pattern>%%level %%date{HH:mm:ss.SSS} %%logger{0} %%msg%%n</pattern></encoder>
                  </appender>
                  <root level="WARN"><appender-ref ref="file"/></root>
                </configuration>
                """.formatted(directory);
    }

    /** The address of this node, as clients use it. */
    public InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }

    /** The end of its address by which a store's URI names it. */
    public String contact() {
        return host + ":" + port;
    }

    void start() {
        try {
            process = new ProcessBuilder(command())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("output.log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Process started = process;
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
    }

    private List<String> command() throws IOException {
        String classPath = classPath();
        String agent = Arrays.stream(classPath.split(":", -1))
                .filter(jar -> jar.contains("jamm"))
                .findFirst()
                .orElseThrow();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String opened : OPENED) {
            command.add("--add-opens=" + opened + "=ALL-UNNAMED");
            command.add("--add-exports=" + opened + "=ALL-UNNAMED");
        }
        command.addAll(List.of(
                "-javaagent:" + agent,
                "-Djdk.attach.allowAttachSelf=true",
                "-Djava.security.manager=allow",
                "-XX:+UseSerialGC",
                "-Xmx160m",
                "-Xss256k",
                "-XX:TieredStopAtLevel=1",
                "-Dcassandra.skip_wait_for_gossip_to_settle=0",
                "-Dcassandra.ring_delay_ms=5000",
                "-Dcassandra.superuser_setup_delay_ms=0",
                "-Dcassandra.jmx.local.port=" + jmxPort,
                "-Dcassandra.config=file://" + directory + "/cassandra.yaml",
                "-Dcassandra.storagedir=" + directory,
                "-Dcassandra.logdir=" + directory,
                "-Dcassandra-foreground=yes",
                "-Dlogback.configurationFile=" + directory + "/logback.xml",
                "-cp",
                classPath,
                "org.apache.cassandra.service.CassandraDaemon"));
        return command;
    }

    private static String classPath() throws IOException {
        try (InputStream in = CassandraNode.class.getResourceAsStream(CLASS_PATH)) {
            if (in == null) {
                throw new IllegalStateException("semel-cassandra-node is not among the dependencies of this module");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    private Process running() {
        return Objects.requireNonNull(process, "the node was not started");
    }

    /** Waits until the node serves clients. */
    void awaitServing() {
        Await.until("Cassandra on " + contact() + ", see " + directory, this::isServing);
    }

    private boolean isServing() {
        if (!running().isAlive()) {
            throw new IllegalStateException("Cassandra on " + contact() + " ended: see " + directory);
        }
        try (Socket socket = new Socket()) {
            socket.connect(address(), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Stops the process where it is. */
    public void pause() {
        Signals.pause(running().toHandle());
    }

    public void resume() {
        Signals.resume(running().toHandle());
    }

    /** Kills the process as the kernel would. */
    public void kill() {
        running().destroyForcibly();
        Await.end(running().toHandle());
    }

    /** Starts it again on the same files, and waits until it serves clients. */
    public void restart() {
        start();
        awaitServing();
    }

    @Override
    public void close() {
        if (process != null) {
            running().destroyForcibly();
            Await.end(running().toHandle());
        }
    }
}
