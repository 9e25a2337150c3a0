package dev.semel.benchmarks.engine;

import dev.semel.Fingerprint;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The fingerprint of a request with a JSON body, by its meaning. */
@State(Scope.Thread)
public class FingerprintBenchmark {

    @Param({"1024", "65536"})
    public int bytes;

    private byte[] body = {};

    @Setup
    public void fill() {
        body = Samples.json(bytes);
    }

    @Benchmark
    public Fingerprint fingerprint() {
        return Fingerprinter.sha256()
                .of(Parts.builder()
                        .add("method", "POST")
                        .add("path", "/payments")
                        .add("query", "")
                        .add("media-type", "application/json")
                        .body("application/json", body)
                        .build());
    }
}
