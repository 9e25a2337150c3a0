package dev.semel.benchmarks.load;

/** One call that blocks until it is answered. */
@FunctionalInterface
public interface Call {

    void run() throws Exception;
}
