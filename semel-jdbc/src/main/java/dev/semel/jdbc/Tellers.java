package dev.semel.jdbc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Those threads of a store that tell callers their answers at the moment.
 *
 * <p>Callers who are told come back at once: who had a claim granted settles it. Flushing the first of them alone would keep
 * the others waiting; so a crowd's small batches wait until somebody has told all that he had to tell.
 */
final class Tellers {

    private final AtomicInteger telling = new AtomicInteger();
    private final List<Runnable> waiting = new CopyOnWriteArrayList<>();

    /** Adds somebody who looks for work whenever one of them is done: were it the last one, there might never be a last. */
    void whenDone(Runnable look) {
        waiting.add(look);
    }

    boolean areTelling() {
        return telling.get() > 0;
    }

    void begin() {
        telling.incrementAndGet();
    }

    void end() {
        telling.decrementAndGet();
        waiting.forEach(Runnable::run);
    }
}
