package dev.semel.benchmarks.engine;

import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Response;
import dev.semel.engine.EncryptionKeys;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.reconcile.StoredRecord;
import java.util.Optional;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A response of 4 KiB on its way into a store and out of it.
 *
 * <p>The engine's envelope has no door of its own: {@link #seal} is a whole execution, {@link #open} is a look at a record,
 * and what an envelope costs is the difference between the forms.
 */
@State(Scope.Thread)
public class ResponseBenchmark {

    /** How the engine stores a response. */
    public enum Form {
        /** Noise, which compression is tried on in vain. */
        PLAIN,
        COMPRESSED,
        ENCRYPTED
    }

    private static final int BYTES = 4096;
    private static final Intent RECORDED = FreshEngine.intent("recorded");

    @Param
    public Form form = Form.PLAIN;

    private byte[] response = {};
    private FreshEngine growing = new FreshEngine(null);
    private FreshEngine settled = growing;
    private RecordedResponse http = RecordedResponse.of(200, Headers.NONE, Body.EMPTY);
    private Response stored = http.toResponse();

    @Setup
    public void start() {
        growing.close();
        EncryptionKeys keys = form == Form.ENCRYPTED ? EncryptionKeys.current("2026", new byte[32]) : null;
        growing = new FreshEngine(keys);
        settled = new FreshEngine(keys);
        response = form == Form.COMPRESSED ? Samples.json(BYTES) : noise();
        settled.execute(RECORDED, response);
        http = RecordedResponse.of(
                201,
                Headers.of("Content-Type", "application/json")
                        .with("Location", "/payments/17")
                        .with("Cache-Control", "no-store"),
                Body.of(response));
        stored = http.toResponse();
    }

    private static byte[] noise() {
        byte[] noise = new byte[BYTES];
        new Random(17).nextBytes(noise);
        return noise;
    }

    @TearDown
    public void stop() {
        growing.close();
        settled.close();
    }

    @Benchmark
    public Execution<byte[]> seal() {
        return growing.executeNew(response);
    }

    @Benchmark
    public Optional<StoredRecord> open() {
        return settled.semel().find(RECORDED.identity());
    }

    @Benchmark
    public Response writeHttp() {
        return http.toResponse();
    }

    @Benchmark
    public Optional<RecordedResponse> readHttp() {
        return RecordedResponse.from(stored);
    }
}
