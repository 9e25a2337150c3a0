package dev.semel.benchmarks.engine;

import dev.semel.http.Headers;
import dev.semel.http.RequestView;
import dev.semel.http.key.IdempotencyKeyHeader;
import dev.semel.http.key.KeyResult;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Finding the key among the headers of a request, and reading it. */
@State(Scope.Thread)
public class KeyHeaderBenchmark {

    private static final String UUID = "8e03978e-40d5-43dd-bc93-6894a57f9324";

    private final IdempotencyKeyHeader header = IdempotencyKeyHeader.lenient(IdempotencyKeyHeader.NAME);
    private final RequestView bare = request(UUID);
    private final RequestView quoted = request('"' + UUID + '"');

    private static RequestView request(String key) {
        Headers headers = Headers.of("Host", "localhost:8080")
                .with("User-Agent", "benchmark")
                .with("Accept", "*/*")
                .with("Content-Type", "application/json")
                .with("Content-Length", "1024")
                .with(IdempotencyKeyHeader.NAME, key);
        return RequestView.of("POST", "/payments").headers(headers).build();
    }

    @Benchmark
    public KeyResult bareKey() {
        return header.resolve(bare);
    }

    @Benchmark
    public KeyResult quotedKey() {
        return header.resolve(quoted);
    }
}
