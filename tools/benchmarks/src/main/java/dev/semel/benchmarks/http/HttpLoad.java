package dev.semel.benchmarks.http;

import dev.semel.benchmarks.load.BlockingLoad;
import dev.semel.benchmarks.load.Load;
import dev.semel.benchmarks.load.Slice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients of one side, each on a connection of its own that is kept open. It notes what each slice cost.
 *
 * <p>Connecting, and what replays need beforehand, is not part of a slice.
 */
final class HttpLoad implements Load {

    /** About how long the JSON body of a request is. */
    private static final int BODY_BYTES = 1024;

    private final Side side;
    private final Traffic traffic;
    private final int connections;
    private final double perSecond;
    private final List<Cost> costs = new ArrayList<>();

    /** Processor time of one request, in microseconds. */
    record Cost(double server, double database) {}

    /** @param perSecond the rate of all clients together; zero for as fast as they are answered */
    HttpLoad(Side side, Traffic traffic, int connections, double perSecond) {
        this.side = side;
        this.traffic = traffic;
        this.connections = connections;
        this.perSecond = perSecond;
    }

    Side side() {
        return side;
    }

    /** What the last slices cost, so many of them. */
    List<Cost> lastCosts(int slices) {
        return costs.subList(costs.size() - slices, costs.size());
    }

    @Override
    public Slice run(Duration length) throws Exception {
        side.forget();
        List<PaymentClient> clients = new ArrayList<>();
        try {
            for (int number = 0; number < connections; number++) {
                clients.add(new PaymentClient(side.port(), BODY_BYTES));
            }
            if (traffic == Traffic.REPLAYS) {
                BlockingLoad.threads(connections, (caller, begun, latency) -> complete(clients.get(caller)));
            }
            Cost before = side.used();
            Slice slice = BlockingLoad.threads(connections, (caller, begun, latency) -> {
                if (perSecond > 0) {
                    pace(clients.get(caller), caller, begun, length, latency::recordValue);
                } else {
                    send(clients.get(caller), begun + length.toNanos(), latency::recordValue);
                }
            });
            Cost after = side.used();
            costs.add(new Cost(
                    (after.server() - before.server()) / slice.calls(),
                    (after.database() - before.database()) / slice.calls()));
            return slice;
        } finally {
            for (PaymentClient client : clients) {
                client.close();
            }
        }
    }

    private static void complete(PaymentClient client) throws IOException {
        for (int key = 0; key < Traffic.COMPLETED; key++) {
            client.pay(key);
        }
    }

    /** Takes the latency of a request, in nanoseconds. */
    private interface Noting {
        void note(long nanos);
    }

    private void send(PaymentClient client, long end, Noting noting) throws IOException {
        long start = System.nanoTime();
        long request = 0;
        do {
            client.pay(traffic.key(request++));
            long answered = System.nanoTime();
            noting.note(answered - start);
            start = answered;
        } while (start - end < 0);
    }

    /** A latency counts from the moment a request was due: a slow side does not get fewer requests to be measured by. */
    private void pace(PaymentClient client, int caller, long begun, Duration length, Noting noting) throws IOException {
        long requests = Math.max(connections, Math.round(perSecond * length.toNanos() / 1e9));
        long own = 0;
        for (long number = caller; number < requests; number += connections) {
            long due = begun + Math.round(number * 1e9 / perSecond);
            for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
                LockSupport.parkNanos(early);
            }
            client.pay(traffic.key(own++));
            noting.note(System.nanoTime() - due);
        }
    }
}
