package dev.semel.jdbc;

import static dev.semel.jdbc.TestedBatcher.ONE_LANE;
import static dev.semel.jdbc.TestedBatcher.TWO_LANES;
import static dev.semel.jdbc.TestedBatcher.answerTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Batcher: however its callers and workers come together, every call gets one answer, and its own")
@Timeout(120)
class BatcherRaceTest {

    private static final int CALLS = 4;

    /** What may happen at a moment, also while a batch is on its way. */
    private static final int SUBMIT = 0;

    private static final int WORK = 1;
    private static final int HELP_OLDEST = 2;
    private static final int HELP_NEWEST = 3;
    private static final int GO_ON = 4;

    /** Choices that are made one after the other; every sequence of them comes once. */
    private static final class Schedule {

        private final int[] choices;
        private int made;

        Schedule(int length) {
            choices = new int[length];
        }

        int next() {
            return made < choices.length ? choices[made++] : GO_ON;
        }

        /** Counts up; false when there was every sequence. */
        boolean advance() {
            // What was never asked for makes no difference.
            Arrays.fill(choices, made, choices.length, 0);
            int last = made - 1;
            while (last >= 0 && choices[last] == GO_ON) {
                choices[last--] = 0;
            }
            if (last < 0) {
                return false;
            }
            choices[last]++;
            made = 0;
            return true;
        }

        @Override
        public String toString() {
            return Arrays.toString(choices);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void every_schedule_of_submitting_working_and_helping_answers_every_call_once(int lanes) {
        BatchLimits limits = new BatchLimits(lanes, lanes, 1000, 2, 1_000, 1_000, 1_000_000);
        Schedule schedule = new Schedule(8);
        do {
            TestedBatcher batcher = new TestedBatcher(limits);
            List<CompletableFuture<String>> calls = new ArrayList<>();
            batcher.meanwhile(batch -> act(batcher, calls, schedule));
            act(batcher, calls, schedule);
            while (calls.size() < CALLS) {
                calls.add(batcher.ask(calls.size()));
            }
            // Nobody blocks any more: whatever waits must have called a worker.
            calls.forEach(CompletableFuture::toCompletableFuture);
            batcher.runTasks();
            check(batcher, calls, schedule);
        } while (schedule.advance());
    }

    private static void act(TestedBatcher batcher, List<CompletableFuture<String>> calls, Schedule schedule) {
        for (int choice = schedule.next(); choice != GO_ON; choice = schedule.next()) {
            if (choice == SUBMIT && calls.size() < CALLS) {
                calls.add(batcher.ask(calls.size()));
            } else if (choice == WORK) {
                batcher.runTask();
            } else if (choice == HELP_OLDEST && !calls.isEmpty()) {
                batcher.help(calls.get(0));
            } else if (choice == HELP_NEWEST && !calls.isEmpty()) {
                batcher.help(calls.get(calls.size() - 1));
            }
        }
    }

    private static void check(TestedBatcher batcher, List<CompletableFuture<String>> calls, Schedule schedule) {
        List<Integer> flushed = new ArrayList<>();
        batcher.flushes().forEach(flushed::addAll);
        if (flushed.size() != CALLS || flushed.stream().distinct().count() != CALLS) {
            throw new AssertionError(schedule + " flushed " + flushed);
        }
        for (int i = 0; i < CALLS; i++) {
            if (!answerTo(i).equals(calls.get(i).getNow("none"))) {
                throw new AssertionError(schedule + " told " + calls.get(i) + " to " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void callers_on_many_threads_get_their_own_answers_and_each_call_is_flushed_once(int lanes) throws Exception {
        int callers = 6;
        int rounds = 400;
        Map<Integer, Integer> flushed = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try (BatchThreads workers = new BatchThreads("test");
                Batcher<Integer, String> batcher = new Batcher<>(
                        lanes == 1 ? ONE_LANE : TWO_LANES,
                        workers,
                        task -> {}, // Patience would wake a call that was forgotten.
                        calls -> calls.forEach(call -> {
                            flushed.merge(call.question(), 1, Integer::sum);
                            call.answer(answerTo(call.question()));
                        }))) {
            CyclicBarrier together = new CyclicBarrier(callers);
            List<Future<?>> running = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                Random random = new Random(caller);
                int first = caller * rounds;
                running.add(threads.submit(() -> {
                    for (int round = first; round < first + rounds; round++) {
                        // All stop here, so that nobody who comes later wakes a call that was forgotten.
                        together.await(1, TimeUnit.MINUTES);
                        ask(batcher, round, random);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get(1, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(flushed)
                .hasSize(callers * rounds)
                .allSatisfy((call, times) -> assertThat(times).isOne());
    }

    private static void ask(Batcher<Integer, String> batcher, int question, Random random) throws Exception {
        CompletableFuture<String> call = (CompletableFuture<String>) batcher.submit(question, 1);
        String answer = switch (random.nextInt(3)) {
            case 0 -> call.join();
            case 1 -> call.get();
            // A dependent stage: nobody helps it.
            default -> call.thenApply(told -> told).get(30, TimeUnit.SECONDS);
        };
        assertThat(answer).isEqualTo(answerTo(question));
    }

    @Test
    void a_call_that_comes_while_the_store_is_closed_is_answered_or_refused() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 3_000; round++) {
                closeAgainstSubmits(threads);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void closeAgainstSubmits(ExecutorService threads) throws Exception {
        BatchThreads workers = new BatchThreads("test");
        Batcher<Integer, String> batcher = new Batcher<>(
                ONE_LANE, workers, calls -> calls.forEach(call -> call.answer(answerTo(call.question()))));
        CyclicBarrier together = new CyclicBarrier(2);
        Future<List<CompletableFuture<String>>> submitting = threads.submit(() -> {
            together.await(1, TimeUnit.MINUTES);
            return IntStream.range(0, 20)
                    .mapToObj(i -> batcher.submit(i, 1).toCompletableFuture())
                    .toList();
        });
        Future<?> closing = threads.submit(() -> {
            together.await(1, TimeUnit.MINUTES);
            batcher.close();
            workers.close();
            return null;
        });
        closing.get(1, TimeUnit.MINUTES);
        List<CompletableFuture<String>> calls = submitting.get(1, TimeUnit.MINUTES);
        for (int i = 0; i < calls.size(); i++) {
            String heard = calls.get(i)
                    .exceptionally(fault -> fault instanceof StoreException ? "refused" : "failed: " + fault)
                    .get(30, TimeUnit.SECONDS);
            assertThat(heard).isIn(answerTo(i), "refused");
        }
    }
}
