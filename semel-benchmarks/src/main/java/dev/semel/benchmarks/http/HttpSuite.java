package dev.semel.benchmarks.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 *   <li>Each is warmed up.
 *   <li>In each round every side is measured once, in turn, and the order is reversed from round to round: what a machine
 *       does meanwhile hits all sides alike.
 * </ol>
 */
public final class HttpSuite {

    private HttpSuite() {}

    /**
     * Runs the suite.
     *
     * @param progress is told what happens
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
        if (options.postgresql() != null) {
            stores.put("postgresql", options.postgresql());
        }
        return stores;
    }

    private record Side(String name, ServerProcess server) {}

    private static List<HttpRow> measure(List<Side> sides, HttpOptions options, Consumer<String> progress) {
        Map<Side, List<Double>> figures = new LinkedHashMap<>();
        for (Side side : sides) {
            progress.accept("http: warming up, filter " + side.name());
            Load.run(side.server().port(), options, options.warmUp());
            figures.put(side, new ArrayList<>());
        }
        List<Side> order = new ArrayList<>(sides);
        for (int round = 1; round <= options.rounds(); round++) {
            for (Side side : order) {
                side.server().forget();
                double requestsPerSecond = Load.run(side.server().port(), options, options.round());
                figures.get(side).add(requestsPerSecond);
                progress.accept(String.format(
                        "http: round %d of %d, filter %s: %.0f requests/s",
                        round, options.rounds(), side.name(), requestsPerSecond));
            }
            Collections.reverse(order);
        }
        return figures.entrySet().stream()
                .map(entry -> new HttpRow(entry.getKey().name(), entry.getValue()))
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
