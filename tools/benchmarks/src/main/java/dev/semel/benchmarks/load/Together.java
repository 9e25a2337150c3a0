package dev.semel.benchmarks.load;

import java.util.concurrent.atomic.AtomicInteger;

/** A number of calls shared by threads, for preparations. */
public final class Together {

    private Together() {}

    /** A call with its number. */
    @FunctionalInterface
    public interface Numbered {
        void call(int number) throws Exception;
    }

    /** Calls with every number below {@code count}, each once. */
    public static void run(int threads, int count, Numbered call) throws Exception {
        AtomicInteger next = new AtomicInteger();
        BlockingLoad.threads(Math.min(threads, count), (caller, begun, latency) -> {
            for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                call.call(number);
            }
        });
    }
}
