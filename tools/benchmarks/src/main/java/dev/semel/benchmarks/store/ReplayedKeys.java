package dev.semel.benchmarks.store;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Keys that were completed before, made once: choosing one costs next to nothing. */
public final class ReplayedKeys {

    private final List<String> keys;

    public ReplayedKeys(int count) {
        Keys made = new Keys("replayed");
        keys = IntStream.range(0, count).mapToObj(made::at).toList();
    }

    public List<String> all() {
        return keys;
    }

    public String any() {
        return keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
    }
}
