package dev.semel.benchmarks.gateway;

import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Whether a gateway that is used for a long time holds more and more: heap, threads, and open files and sockets after each
 * round of pass-through and protected requests, on connections that are opened anew in each.
 */
final class Soak {

    private static final String HEAP = "256m";

    private Soak() {}

    /** Returns what the gateway held after the warm-up, and after each round. */
    static List<Usage> measure(GatewayOptions options, Consumer<String> progress) {
        try (Landscape landscape = new Landscape();
                VertxGenerator clients = new VertxGenerator(HttpVersion.HTTP_1_1);
                VertxGenerator http2 = new VertxGenerator(HttpVersion.HTTP_2)) {
            ChildProcess gateway = landscape.gateway(landscape.sqlite(), HEAP);
            List<Usage> usage = new ArrayList<>();
            for (int round = 0; round <= options.rounds(); round++) {
                for (Generator generator : List.of(clients, http2)) {
                    for (String path : List.of(Landscape.OPEN, Landscape.PROTECTED, Landscape.FRESH)) {
                        generator.run(
                                gateway.port(),
                                path,
                                options.connections(),
                                options.round().dividedBy(6));
                    }
                }
                usage.add(gateway.usage());
                progress.accept("gateway: soak, round " + round + " of " + options.rounds() + ": "
                        + usage.get(round).heap() / 1024 + " KiB of heap, "
                        + usage.get(round).threads() + " threads, "
                        + usage.get(round).descriptors() + " open files and sockets");
            }
            return usage;
        }
    }
}
