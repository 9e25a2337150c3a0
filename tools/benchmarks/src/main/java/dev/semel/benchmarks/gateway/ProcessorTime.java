package dev.semel.benchmarks.gateway;

import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The processor time that a request takes of a bare hop and of the gateway.
 *
 * <ol>
 *   <li>Service, hop and each gateway are processes of their own, and live throughout. What passes through has a gateway without
 *       records.
 *   <li>Each side is warmed up: a proxy in Java gets faster for more than 15 s.
 *   <li>In HTTP/2 what passes through and the hop have the load of {@code h2load}, which cannot send a new key with each request;
 *       for what is protected the hop is measured again, with the load of a generator that can.
 *   <li>In each round every side is measured once, in turn, and the order is reversed from round to round: what the machine
 *       does meanwhile hits all sides alike.
 * </ol>
 */
final class ProcessorTime {

    static final String HOP = "bare hop";
    static final String PASS_THROUGH = "pass-through";
    static final String PROTECTED = "protected, memory";
    static final String FRESH = "protected, memory, fresh connections";

    /** What stands behind the name of a side whose clients speak HTTP/2. */
    static final String HTTP2 = ", HTTP/2";

    /** What stands behind that where each request has a key of its own. */
    static final String NEW_KEYS = HTTP2 + ", new keys";

    /**
     * Which sides are measured.
     *
     * @param others also on fresh connections and on stores other than memory
     */
    record Chosen(boolean http1, boolean http2, boolean others) {}

    /** One figure of each round: microseconds of the processor for a request, and requests per second. */
    record Figures(List<Double> micros, List<Double> perSecond) {

        Figures() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /** A way of requests, and the process whose time is measured. */
    private record Side(String name, ChildProcess process, String path, Generator generator) {

        void measure(int connections, Duration length, Figures into) {
            Duration before = process.processorTime();
            long started = System.nanoTime();
            long requests = generator.run(process.port(), path, connections, length);
            double seconds = (System.nanoTime() - started) / 1e9;
            Duration used = process.processorTime().minus(before);
            if (requests == 0) {
                throw new IllegalStateException(name + ": no request was answered; more --seconds are needed");
            }
            into.micros().add(used.toNanos() / 1e3 / requests);
            into.perSecond().add(requests / seconds);
        }
    }

    private ProcessorTime() {}

    /** Measures the chosen sides; each gets a figure for each round. */
    static Map<String, Figures> measure(GatewayOptions options, Chosen chosen, Consumer<String> progress) {
        try (Landscape landscape = new Landscape();
                VertxGenerator http1 = new VertxGenerator(HttpVersion.HTTP_1_1);
                VertxGenerator http2 = new VertxGenerator(HttpVersion.HTTP_2)) {
            ChildProcess hop = landscape.hop();
            ChildProcess open = landscape.gateway("memory:", Landscape.LARGE_HEAP);
            ChildProcess gateway = landscape.gateway("memory:", Landscape.LARGE_HEAP);
            List<Side> sides = new ArrayList<>();
            if (chosen.http1()) {
                Generator first = options.programs() && Wrk.isInstalled() ? Wrk.in(landscape.directory()) : http1;
                sides.add(new Side(HOP, hop, Landscape.PROTECTED, first));
                sides.add(new Side(PASS_THROUGH, open, Landscape.OPEN, first));
                sides.add(new Side(PROTECTED, gateway, Landscape.PROTECTED, first));
                if (chosen.others()) {
                    sides.add(new Side(FRESH, gateway, Landscape.FRESH, first));
                    options.stores().forEach((name, uri) -> sides.add(stored(landscape, name, uri, first)));
                }
            }
            if (chosen.http2()) {
                Generator second =
                        options.programs() && H2load.isInstalled() ? H2load.in(landscape.directory()) : http2;
                sides.add(new Side(HOP + HTTP2, hop, Landscape.PROTECTED, second));
                sides.add(new Side(PASS_THROUGH + HTTP2, open, Landscape.OPEN, second));
                sides.add(new Side(HOP + NEW_KEYS, hop, Landscape.PROTECTED, http2));
                sides.add(new Side(PROTECTED + NEW_KEYS, gateway, Landscape.PROTECTED, http2));
            }
            return rounds(sides, options, progress);
        }
    }

    private static Side stored(Landscape landscape, String name, String uri, Generator generator) {
        return new Side(
                "protected, " + name, landscape.gateway(uri, Landscape.LARGE_HEAP), Landscape.PROTECTED, generator);
    }

    private static Map<String, Figures> rounds(List<Side> sides, GatewayOptions options, Consumer<String> progress) {
        Map<String, Figures> figures = new LinkedHashMap<>();
        for (Side side : sides) {
            progress.accept("gateway: warming up, " + side.name());
            side.measure(options.connections(), options.warmUp(), new Figures());
            figures.put(side.name(), new Figures());
        }
        List<Side> order = new ArrayList<>(sides);
        for (int round = 1; round <= options.rounds(); round++) {
            for (Side side : order) {
                Figures into = figures.computeIfAbsent(side.name(), name -> new Figures());
                side.measure(options.connections(), options.round(), into);
                progress.accept(String.format(
                        "gateway: round %d of %d, %s: %.1f µs of the processor each, %.0f requests/s",
                        round,
                        options.rounds(),
                        side.name(),
                        into.micros().get(round - 1),
                        into.perSecond().get(round - 1)));
            }
            Collections.reverse(order);
        }
        return figures;
    }
}
