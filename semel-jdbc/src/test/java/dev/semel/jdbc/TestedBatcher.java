package dev.semel.jdbc;

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
 * <p>While a batch is flushed the test may do what others would do meanwhile: submit, let another worker run, help.
 */
final class TestedBatcher {

    /** Small enough to reach in a test. */
    static final BatchLimits ONE_LANE = new BatchLimits(1, 1, 1000, 512, 1_000_000, 1_000, 1_000_000);

    static final BatchLimits TWO_LANES = new BatchLimits(2, 2, 1000, 512, 1_000_000, 1_000, 1_000_000);

    private static final long BYTES = 10;

    private final Batcher<Integer, String> batcher;
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
        return batcher.submit(question, bytes).toCompletableFuture();
    }

    /** As a caller does who may block, or may not: nothing is done with the stage yet. */
    CompletableFuture<String> ask(int question) {
        return (CompletableFuture<String>) batcher.submit(question, BYTES);
    }

    /** From this number up to the other, which is not included. */
    List<CompletableFuture<String>> submitAll(int from, int to) {
        return IntStream.range(from, to).mapToObj(this::submit).toList();
    }

    /** What a caller who blocks does before it blocks. The calls are of this batcher, so they are what they are cast to. */
    @SuppressWarnings("unchecked")
    void help(CompletableFuture<String> call) {
        if (call instanceof BatchCall<?, ?>) {
            batcher.help((BatchCall<Integer, String>) call);
        }
    }

    int tasks() {
        return tasks.size();
    }

    /** Lets one worker run that was called; false when none was. */
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

    /** Lets run what was to run when patience is over. */
    void losePatience() {
        for (Runnable look = later.poll(); look != null; look = later.poll()) {
            look.run();
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
