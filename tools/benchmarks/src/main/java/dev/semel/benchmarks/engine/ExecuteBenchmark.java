package dev.semel.benchmarks.engine;

import dev.semel.Execution;
import dev.semel.Intent;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The engine's own work around an operation that does nothing, on the memory store. */
@State(Scope.Thread)
public class ExecuteBenchmark {

    private static final Intent RECORDED = FreshEngine.intent("8e03978e-40d5-43dd-bc93-6894a57f9324");

    private final byte[] response = Samples.json(200);
    private FreshEngine growing = new FreshEngine(null);
    private FreshEngine settled = new FreshEngine(null);

    @Setup
    public void start() {
        settled.execute(RECORDED, response);
    }

    @TearDown
    public void stop() {
        growing.close();
        settled.close();
    }

    /** Claim, run, settle. */
    @Benchmark
    public Execution<byte[]> executeNewKey() {
        return growing.executeNew(response);
    }

    /** Claim, and find the response. */
    @Benchmark
    public Execution<byte[]> replay() {
        return settled.execute(RECORDED, response);
    }
}
