package dev.semel.benchmarks.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Measures one endpoint with the filter off, and on over each store.
 *
 * <ol>
 *   <li>Each side is a server in a virtual machine of its own; all of them live throughout.
 *   <li>Each is warmed up, until that no longer makes its requests cheaper.
 *   <li>In each round every side is measured once, in turn, and the order is reversed from round to round: what a machine
 *       does meanwhile hits all sides alike.
 * </ol>
 */
public final class HttpSuite {

    /** Five times the planned warm-up at most. */
    private static final int MOST_EXTRA_WARM_UPS = 16;

    private static final double CHEAPER = 0.95;

    private HttpSuite() {}

    /**
     * Runs the suite.
     *
     * @param progress gets a line for each phase
     * @throws IllegalStateException when a server does not start or gives an answer other than 201
     */
    public static List<HttpRow> run(HttpOptions options, Consumer<String> progress) {
        List<Side> sides = new ArrayList<>();
        Path directory = temporaryDirectory();
        try {
            sides.add(new Side(HttpRow.OFF, ServerProcess.start("")));
            for (Map.Entry<String, String> store : stores(options, directory).entrySet()) {
                sides.add(new Side(store.getKey(), ServerProcess.start(store.getValue())));
            }
            return measure(sides, options, progress);
        } finally {
            sides.forEach(side -> side.server().close());
            delete(directory);
        }
    }

    private static Map<String, String> stores(HttpOptions options, Path directory) {
        Map<String, String> stores = new LinkedHashMap<>();
        stores.put("memory", "memory:");
        if (options.sqlite()) {
            stores.put("sqlite", "sqlite:" + directory.resolve("semel.db"));
        }
        stores.putAll(options.servers());
        return stores;
    }

    /** A server, and what was measured of it. */
    private record Side(String name, ServerProcess server, List<Double> requestsPerSecond, List<Double> serverMicros) {

        Side(String name, ServerProcess server) {
            this(name, server, new ArrayList<>(), new ArrayList<>());
        }

        /** Goes on while that still makes requests cheaper: on a busy machine, compiling takes longer than planned. */
        void warmUp(HttpOptions options) {
            load(options, options.warmUp());
            double before = Double.MAX_VALUE;
            for (int i = 0; i < MOST_EXTRA_WARM_UPS; i++) {
                double micros = load(options, options.warmUp().dividedBy(4));
                if (micros > CHEAPER * before) {
                    break;
                }
                before = micros;
            }
            requestsPerSecond.clear();
            serverMicros.clear();
        }

        void measure(HttpOptions options) {
            load(options, options.round());
        }

        private double load(HttpOptions options, Duration length) {
            server.forget();
            Duration before = server.processorTime();
            Load.Done done = Load.run(server.port(), options, length);
            Duration used = server.processorTime().minus(before);
            requestsPerSecond.add(done.perSecond());
            serverMicros.add(used.toNanos() / 1e3 / done.requests());
            return serverMicros.get(serverMicros.size() - 1);
        }

        String lastRound() {
            int last = requestsPerSecond.size() - 1;
            return String.format(
                    "%.0f requests/s, %.1f \u00b5s of the server's processor each",
                    requestsPerSecond.get(last), serverMicros.get(last));
        }
    }

    private static List<HttpRow> measure(List<Side> sides, HttpOptions options, Consumer<String> progress) {
        for (Side side : sides) {
            progress.accept("http: warming up, filter " + side.name());
            side.warmUp(options);
        }
        List<Side> order = new ArrayList<>(sides);
        for (int round = 1; round <= options.rounds(); round++) {
            for (Side side : order) {
                side.measure(options);
                progress.accept("http: round " + round + " of " + options.rounds() + ", filter " + side.name() + ": "
                        + side.lastRound());
            }
            Collections.reverse(order);
        }
        return sides.stream()
                .map(side -> new HttpRow(side.name(), side.requestsPerSecond(), side.serverMicros()))
                .toList();
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("semel-bench-http");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
