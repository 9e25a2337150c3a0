package dev.semel.benchmarks.load;

import java.time.Duration;

/** A way of making calls for some time. */
@FunctionalInterface
public interface Load {

    Slice run(Duration length) throws Exception;
}
