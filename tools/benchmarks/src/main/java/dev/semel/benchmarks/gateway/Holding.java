package dev.semel.benchmarks.gateway;

import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What a gateway needs to hold connections that do nothing and clients that send slowly, while it serves others. Each slow
 * client has a protected request under way the whole time, and has it answered at the end.
 */
final class Holding {

    /** Bytes that each slow client sends one by one, with the load of others in between. */
    private static final int TRICKLED = 4;

    private static final int OTHERS = 8;

    private static final String HEAP = "192m";

    /**
     * What was measured.
     *
     * @param empty before any connection
     * @param held with all of them, after a collection
     * @param closed connections that the gateway closed although it should have held them
     */
    record Result(Usage empty, Usage held, int closed) {}

    private Holding() {}

    static Result measure(GatewayOptions options, Consumer<String> progress) throws IOException {
        try (Landscape landscape = new Landscape();
                VertxGenerator others = new VertxGenerator(HttpVersion.HTTP_1_1)) {
            ChildProcess gateway = landscape.gateway(landscape.sqlite(), HEAP);
            Duration pause = options.round().dividedBy(TRICKLED);
            others.run(gateway.port(), Landscape.PROTECTED, OTHERS, pause);
            Usage empty = gateway.usage();
            try (HeldClients clients = new HeldClients(gateway.port())) {
                clients.addIdle(options.idle());
                progress.accept("gateway: " + options.idle() + " idle connections are open");
                clients.addSlow(options.slow());
                progress.accept("gateway: " + options.slow() + " slow clients have begun");
                for (int i = 0; i < TRICKLED; i++) {
                    clients.trickle();
                    others.run(gateway.port(), Landscape.PROTECTED, OTHERS, pause);
                }
                Usage held = gateway.usage();
                clients.finish();
                return new Result(empty, held, clients.closed());
            }
        }
    }
}
