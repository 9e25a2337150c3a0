package dev.semel.benchmarks.store;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Keys that were completed before, made once: choosing one costs next to nothing. */
final class ReplayedKeys {

    private final List<String> keys;

    ReplayedKeys(int count) {
        Keys made = new Keys("replayed");
        keys = IntStream.range(0, count).mapToObj(made::at).toList();
    }

    List<String> all() {
        return keys;
    }

    String any() {
        return keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
    }
}
