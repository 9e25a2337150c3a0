package dev.semel.benchmarks.http;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A number of clients that send new payments one after the other, as fast as they are answered. */
final class Load {

    private Load() {}

    /** What was done in which time. */
    record Done(long requests, double seconds) {

        double perSecond() {
            return requests / seconds;
        }
    }

    /** Runs the clients for so long. */
    static Done run(int port, HttpOptions options, Duration length) {
        ExecutorService clients = Executors.newFixedThreadPool(options.connections());
        try {
            long started = System.nanoTime();
            long end = started + length.toNanos();
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < options.connections(); i++) {
                counts.add(clients.submit(() -> sendUntil(end, port, options.bodyBytes())));
            }
            long requests = 0;
            for (Future<Long> count : counts) {
                requests += count.get();
            }
            return new Done(requests, (System.nanoTime() - started) / 1e9);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client of the HTTP suite failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            clients.shutdownNow();
        }
    }

    private static long sendUntil(long end, int port, int bodyBytes) throws IOException {
        try (PaymentClient client = new PaymentClient(port, bodyBytes)) {
            long requests = 0;
            do {
                client.pay();
                requests++;
            } while (System.nanoTime() - end < 0);
            return requests;
        }
    }
}
