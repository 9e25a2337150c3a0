package dev.semel.jdbc.batch;

import static dev.semel.jdbc.batch.TestedBatcher.ONE_LANE;
import static dev.semel.jdbc.batch.TestedBatcher.TWO_LANES;
import static dev.semel.jdbc.batch.TestedBatcher.answerTo;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Batcher: in every order of callers and workers, each call is run once and gets its own answer")
@Timeout(120)
class BatcherRaceTest {

    private static final int CALLS = 4;

    /** What may happen at a moment, also while a batch is flushed. */
    private static final int SUBMIT = 0;

    private static final int WORK = 1;
    private static final int CALL = 2;
    private static final int GO_ON = 3;

    /** Choices that are made one after the other; every sequence of them occurs once. */
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
    void every_schedule_of_submits_calls_and_workers_answers_every_call_once(int lanes) {
        BatchLimits limits = new BatchLimits(lanes, lanes, 1000, 2, 1_000, 1_000, 1_000_000);
        Schedule schedule = new Schedule(9);
        do {
            TestedBatcher batcher = new TestedBatcher(limits);
            List<CompletableFuture<String>> calls = new ArrayList<>();
            batcher.meanwhile(batch -> act(batcher, calls, schedule));
            act(batcher, calls, schedule);
            while (calls.size() < CALLS) {
                calls.add(batcher.submit(calls.size()));
            }
            // No caller runs anything any more: a worker must have been started for every call that waits.
            batcher.runTasks();
            check(batcher, calls, schedule);
        } while (schedule.advance());
    }

    private static void act(TestedBatcher batcher, List<CompletableFuture<String>> calls, Schedule schedule) {
        for (int choice = schedule.next(); choice != GO_ON; choice = schedule.next()) {
            if (choice == SUBMIT && calls.size() < CALLS) {
                calls.add(batcher.submit(calls.size()));
            } else if (choice == CALL && calls.size() < CALLS) {
                call(batcher, calls);
            } else if (choice == WORK) {
                batcher.runTask();
            }
        }
    }

    /** Its place in the list is taken before it runs: further calls may begin meanwhile. */
    private static void call(TestedBatcher batcher, List<CompletableFuture<String>> calls) {
        int number = calls.size();
        calls.add(new CompletableFuture<>());
        calls.set(number, batcher.beginCall(number));
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
                Batcher<BatchCall<Integer, String>> batcher = new Batcher<>(
                        lanes == 1 ? ONE_LANE : TWO_LANES,
                        workers.workers(),
                        task -> {}, // A fallback would run a call that was forgotten.
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
                        // All stop here, so that no later call has a call run that was forgotten.
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

    private static void ask(Batcher<BatchCall<Integer, String>> batcher, int question, Random random) throws Exception {
        BatchCall<Integer, String> call = new BatchCall<>(question, 1);
        String answer = random.nextBoolean()
                ? batcher.call(call).answer()
                : batcher.submit(call)
                        .stage()
                        .thenApply(told -> told)
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS);
        assertThat(answer).isEqualTo(answerTo(question));
    }

    @Test
    void a_call_that_arrives_while_the_store_is_closed_is_answered_or_refused() throws Exception {
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
        AtomicBoolean closed = new AtomicBoolean();
        Batcher<BatchCall<Integer, String>> batcher = new Batcher<>(ONE_LANE, workers, calls -> {
            if (closed.get()) {
                throw new IllegalStateException("run after the batcher was closed");
            }
            calls.forEach(call -> call.answer(answerTo(call.question())));
        });
        CyclicBarrier together = new CyclicBarrier(2);
        Future<List<CompletableFuture<String>>> submitting = threads.submit(() -> {
            together.await(1, TimeUnit.MINUTES);
            return IntStream.range(0, 20)
                    .mapToObj(i -> answered(batcher, new BatchCall<Integer, String>(i, 1)))
                    .toList();
        });
        Future<?> closing = threads.submit(() -> {
            together.await(1, TimeUnit.MINUTES);
            batcher.close();
            closed.set(true);
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

    /** Every other call is made by a caller that waits. */
    private static CompletableFuture<String> answered(
            Batcher<BatchCall<Integer, String>> batcher, BatchCall<Integer, String> call) {
        BatchCall<Integer, String> made = call.question() % 2 == 0 ? batcher.submit(call) : batcher.call(call);
        return made.stage().toCompletableFuture();
    }
}
