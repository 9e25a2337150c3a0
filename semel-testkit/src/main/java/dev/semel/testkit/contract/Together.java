package dev.semel.testkit.contract;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that begin at the same moment. */
final class Together {

    private Together() {}

    /**
     * Runs each task on a thread of its own and returns what they returned, in the order of the tasks. Throws what the first
     * task threw that failed: later failures often follow from it.
     */
    static <T> List<T> run(List<? extends Callable<T>> tasks) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(tasks.size());
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        CompletionService<T> running = new ExecutorCompletionService<>(threads);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> task : tasks) {
                futures.add(running.submit(() -> {
                    barrier.await(1, TimeUnit.MINUTES);
                    return task.call();
                }));
            }
            for (int ended = 0; ended < futures.size(); ended++) {
                Future<T> next = running.poll(2, TimeUnit.MINUTES);
                if (next == null) {
                    throw new TimeoutException((futures.size() - ended) + " threads have not ended");
                }
                next.get();
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return Collections.unmodifiableList(results);
        } finally {
            threads.shutdownNow();
        }
    }
}
