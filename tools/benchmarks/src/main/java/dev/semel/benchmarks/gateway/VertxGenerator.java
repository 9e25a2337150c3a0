package dev.semel.benchmarks.gateway;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A load generator in this process, for HTTP/1.1 and for HTTP/2 in clear text, with one request at a time to a connection. */
final class VertxGenerator implements Generator, AutoCloseable {

    private static final int KEY_DIGITS = 24;
    private static final long LONGEST_ANSWER_SECONDS = 60;

    private final Vertx vertx = Vertx.vertx();
    private final HttpVersion version;

    VertxGenerator(HttpVersion version) {
        this.version = version;
    }

    @Override
    public long run(int port, String path, int connections, Duration length) {
        HttpClient client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setProtocolVersion(version)
                        .setHttp2ClearTextUpgrade(false)
                        .setHttp2MultiplexingLimit(1),
                new PoolOptions().setHttp1MaxSize(connections).setHttp2MaxSize(connections));
        Clients clients = new Clients(client, port, path, System.nanoTime() + length.toNanos());
        List<Future<Void>> running = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            running.add(clients.start());
        }
        try {
            Future.all(running)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(length.toSeconds() + LONGEST_ANSWER_SECONDS, TimeUnit.SECONDS);
            return clients.answered.get();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("a client failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            client.close();
        }
    }

    /** Clients of one run, which end together. */
    private static final class Clients {

        private static final Buffer PAYMENT = Buffer.buffer(BODY);

        private final HttpClient client;
        private final RequestOptions request;
        private final long end;
        private final String keys = UUID.randomUUID().toString().substring(0, KEY_DIGITS);
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong answered = new AtomicLong();

        Clients(HttpClient client, int port, String path, long end) {
            this.client = client;
            this.request = new RequestOptions()
                    .setHost("127.0.0.1")
                    .setPort(port)
                    .setURI(path)
                    .setMethod(HttpMethod.POST);
            this.end = end;
        }

        /** Completes when the time is over. */
        Future<Void> start() {
            Promise<Void> done = Promise.promise();
            next(done);
            return done.future();
        }

        private void next(Promise<Void> done) {
            client.request(request)
                    .compose(ready -> ready.putHeader("Content-Type", "application/json")
                            .putHeader("Idempotency-Key", keys + String.format("%012x", sent.incrementAndGet()))
                            .send(PAYMENT))
                    .compose(Clients::whole)
                    .onComplete(
                            whole -> {
                                answered.incrementAndGet();
                                if (System.nanoTime() - end < 0) {
                                    next(done);
                                } else {
                                    done.complete();
                                }
                            },
                            done::fail);
        }

        private static Future<Void> whole(HttpClientResponse answer) {
            return answer.statusCode() == 201
                    ? answer.end()
                    : answer.body()
                            .compose(body -> Future.failedFuture("answered with " + answer.statusCode() + ": " + body));
        }
    }

    @Override
    public void close() {
        vertx.close();
    }
}
