package dev.semel.benchmarks.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The processes of one measurement: a service, and what stands in front of it. All of them end with it. */
final class Landscape implements AutoCloseable {

    /** Passes through the gateway. */
    static final String OPEN = "/open/payments";

    /** Protected. */
    static final String PROTECTED = "/payments";

    /** Protected, and each request on a connection of its own. */
    static final String FRESH = "/fresh/payments";

    /** Room enough that the collector is no part of the measurement. */
    static final String LARGE_HEAP = "2g";

    private static final String SMALL_HEAP = "512m";

    private final Path directory;
    private final List<ChildProcess> processes = new ArrayList<>();
    private final ChildProcess service;

    Landscape() {
        try {
            directory = Files.createTempDirectory("semel-bench-gateway");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        service = started(ChildProcess.start(SMALL_HEAP, List.of("service")));
    }

    ChildProcess hop() {
        return started(ChildProcess.start(LARGE_HEAP, List.of("hop", String.valueOf(service.port()))));
    }

    /** A gateway as its command starts it. Records are kept for a second: a measurement of any length holds as many of them. */
    ChildProcess gateway(String store, String heap) {
        Path config = directory.resolve("gateway-" + processes.size() + ".yaml");
        try {
            Files.writeString(config, """
                    store: "%s"
                    upstream: http://127.0.0.1:%d
                    scope: shared
                    prune-every: 1s
                    routes:
                      - {name: open, path: /open/**, key: none}
                      - {name: fresh, path: /fresh/**, retention: 1s, timeouts: {reuse: 0s}}
                      - {name: payments, path: /payments, retention: 1s}
                    """.formatted(store, service.port()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return started(ChildProcess.start(
                heap,
                List.of(
                        "gateway",
                        "--config",
                        config.toString(),
                        "--listen",
                        "127.0.0.1:0",
                        "--admin",
                        "127.0.0.1:0")));
    }

    /** The URI of a SQLite file that goes with this. */
    String sqlite() {
        return "sqlite:" + directory.resolve("gateway.db");
    }

    Path directory() {
        return directory;
    }

    private ChildProcess started(ChildProcess process) {
        processes.add(process);
        return process;
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
