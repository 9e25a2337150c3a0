package dev.semel.jdbc.batch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A batcher of numbers whose workers run when the test says so, one after the other and on the test's thread.
 *
 * <p>While a batch is flushed, the test may do what other threads would do meanwhile: submit, call, let another worker run.
 */
final class TestedBatcher {

    /** Small enough to reach in a test. */
    static final BatchLimits ONE_LANE = new BatchLimits(1, 1, 1000, 512, 1_000_000, 1_000, 1_000_000);

    static final BatchLimits TWO_LANES = new BatchLimits(2, 2, 1000, 512, 1_000_000, 1_000, 1_000_000);

    private static final long BYTES = 10;

    private final Batcher<BatchCall<Integer, String>> batcher;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();
    private final List<List<Integer>> flushes = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    private volatile Consumer<List<Integer>> meanwhile = batch -> {};

    TestedBatcher(BatchLimits limits) {
        this.batcher = new Batcher<>(limits, tasks::add, later::add, this::flush);
    }

    private void flush(List<BatchCall<Integer, String>> calls) {
        List<Integer> batch = calls.stream().map(BatchCall::question).toList();
        flushes.add(batch);
        threads.add(Thread.currentThread());
        meanwhile.accept(batch);
        calls.forEach(call -> call.answer(answerTo(call.question())));
    }

    static String answerTo(int question) {
        return "answer to " + question;
    }

    /** What happens in every flush before its answers; what it throws, the flush throws. */
    void meanwhile(Consumer<List<Integer>> action) {
        meanwhile = action;
    }

    /** What happens in the next flush alone. */
    void duringNextFlush(Runnable action) {
        meanwhile = batch -> {
            meanwhile = next -> {};
            action.run();
        };
    }

    CompletableFuture<String> submit(int question) {
        return submit(question, BYTES);
    }

    CompletableFuture<String> submit(int question, long bytes) {
        return batcher.submit(new BatchCall<Integer, String>(question, bytes))
                .stage()
                .toCompletableFuture();
    }

    /** Submits this number and those up to the other, which is not included. */
    List<CompletableFuture<String>> submitAll(int from, int to) {
        return IntStream.range(from, to).mapToObj(this::submit).toList();
    }

    /** Calls, and waits for the answer. */
    String call(int question) {
        return batcher.call(new BatchCall<Integer, String>(question, BYTES)).answer();
    }

    /** What a caller that waits does before it waits. */
    CompletableFuture<String> beginCall(int question) {
        BatchCall<Integer, String> call = new BatchCall<>(question, BYTES) {
            @Override
            void await() {}
        };
        return batcher.call(call).stage().toCompletableFuture();
    }

    /** How many workers were started and have not begun. */
    int tasks() {
        return tasks.size();
    }

    /** Lets one worker run that was started; false when none was. */
    boolean runTask() {
        Runnable task = tasks.poll();
        if (task != null) {
            task.run();
        }
        return task != null;
    }

    void runTasks() {
        boolean more = runTask();
        while (more) {
            more = runTask();
        }
    }

    /** Lets the time pass after which a fallback runs. */
    void passFallbackTime() {
        for (Runnable task = later.poll(); task != null; task = later.poll()) {
            task.run();
            runTask();
        }
    }

    List<List<Integer>> flushes() {
        return List.copyOf(flushes);
    }

    /** The threads on which the flushes ran. */
    List<Thread> threads() {
        return List.copyOf(threads);
    }

    void close() {
        batcher.close();
    }
}
