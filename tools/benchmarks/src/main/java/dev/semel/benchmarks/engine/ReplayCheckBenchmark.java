package dev.semel.benchmarks.engine;

import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Intent.Guard;
import dev.semel.Intent.ReplayCheck;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A replay without a check, with one that answers at once, and with one that answers on another thread. */
@State(Scope.Thread)
public class ReplayCheckBenchmark {

    private static final Intent RECORDED = FreshEngine.intent("8e03978e-40d5-43dd-bc93-6894a57f9324");

    @Param({"off", "at once", "on another thread"})
    public String check = "off";

    private final byte[] response = Samples.json(200);
    private FreshEngine settled = new FreshEngine(null);
    private Intent intent = RECORDED;

    @Setup
    public void start() {
        settled.execute(RECORDED, response);
        intent = RECORDED.guardedBy(guard());
    }

    private @Nullable Guard guard() {
        return switch (check) {
            case "at once" -> new Guard(ReplayCheck.of(replay -> true), "request", "alice");
            case "on another thread" ->
                new Guard(replay -> CompletableFuture.supplyAsync(() -> true), "request", "alice");
            default -> null;
        };
    }

    @TearDown
    public void stop() {
        settled.close();
    }

    /** Claim, ask, and find the response. */
    @Benchmark
    public Execution<byte[]> replay() {
        return settled.execute(intent, response);
    }
}
