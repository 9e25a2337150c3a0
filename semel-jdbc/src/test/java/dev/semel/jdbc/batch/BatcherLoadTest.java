package dev.semel.jdbc.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import dev.semel.testkit.contract.StoreVerbs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Batcher under load: callers that ask again share a batch, and no code of a caller keeps a lane")
@Timeout(300)
class BatcherLoadTest {

    /** Every batch counts as large. */
    private static final BatchLimits ALL_LARGE = new BatchLimits(1, 1, 0, 512, 1_000_000, 1_000, 1_000_000);

    private static final BatchLimits TWO_LANES = new BatchLimits(2, 2, 0, 512, 1_000_000, 1_000, 1_000_000);

    @Test
    void callers_that_ask_again_when_they_are_answered_share_one_batch() {
        TestedBatcher batcher = new TestedBatcher(ALL_LARGE);
        List<CompletableFuture<String>> again = new ArrayList<>();
        for (CompletableFuture<String> call : batcher.submitAll(0, 100)) {
            call.thenRun(() -> again.add(batcher.submit(100 + again.size())));
        }
        batcher.runTasks();
        assertThat(batcher.flushes())
                .hasSize(2)
                .allSatisfy(flush -> assertThat(flush).hasSize(100));
        assertThat(again).allMatch(CompletableFuture::isDone);
    }

    @Test
    void many_calls_are_divided_evenly_among_the_lanes() {
        TestedBatcher batcher = new TestedBatcher(TWO_LANES);
        batcher.submitAll(0, 100);
        batcher.duringNextFlush(batcher::runTasks);
        batcher.runTasks();
        assertThat(batcher.flushes()).extracting(List::size).containsExactly(50, 50);
    }

    @Test
    void a_small_rest_waits_for_running_batches_and_is_run_when_they_end() {
        TestedBatcher batcher = new TestedBatcher(TWO_LANES);
        List<CompletableFuture<String>> rest = new ArrayList<>();
        batcher.submitAll(0, 100);
        batcher.duringNextFlush(() -> {
            batcher.duringNextFlush(() -> {});
            batcher.runTasks();
            rest.addAll(batcher.submitAll(100, 110));
            batcher.runTasks();
            assertThat(rest).as("while half of the calls run").noneMatch(CompletableFuture::isDone);
        });
        batcher.runTasks();
        assertThat(batcher.flushes()).extracting(List::size).containsExactly(50, 50, 10);
        assertThat(rest).allMatch(CompletableFuture::isDone);
    }

    @Test
    void a_small_rest_is_run_by_the_fallback_when_running_batches_take_long() {
        TestedBatcher batcher = new TestedBatcher(TWO_LANES);
        batcher.submitAll(0, 100);
        batcher.duringNextFlush(() -> {
            batcher.runTasks();
            CompletableFuture<String> rest = batcher.submit(100);
            batcher.runTasks();
            assertThat(rest).as("before the fallback").isNotDone();
            batcher.passFallbackTime();
            assertThat(rest).isCompletedWithValue(TestedBatcher.answerTo(100));
        });
        batcher.runTasks();
        assertThat(batcher.flushes()).extracting(List::size).containsExactly(50, 50, 1);
    }

    @Test
    void a_call_that_arrives_after_the_fallback_was_scheduled_gets_a_fallback_of_its_own() {
        TestedBatcher batcher = new TestedBatcher(TWO_LANES);
        batcher.submitAll(0, 100);
        batcher.duringNextFlush(() -> {
            batcher.runTasks();
            List<CompletableFuture<String>> calls = new ArrayList<>(batcher.submitAll(100, 125));
            batcher.runTasks();
            assertThat(calls).as("half a share").allMatch(CompletableFuture::isDone);
            CompletableFuture<String> rest = batcher.submit(125);
            batcher.passFallbackTime();
            assertThat(rest).isNotDone();
            batcher.passFallbackTime();
            assertThat(rest).isDone();
        });
        batcher.runTasks();
    }

    @Test
    void half_a_share_does_not_wait() {
        TestedBatcher batcher = new TestedBatcher(TWO_LANES);
        batcher.submitAll(0, 100);
        batcher.duringNextFlush(() -> {
            batcher.runTasks();
            List<CompletableFuture<String>> half = batcher.submitAll(100, 125);
            batcher.runTasks();
            assertThat(half).allMatch(CompletableFuture::isDone);
        });
        batcher.runTasks();
    }

    @Test
    void a_lone_call_has_a_lane_when_no_batch_runs_however_large_the_last_one_was() {
        TestedBatcher batcher = new TestedBatcher(TWO_LANES);
        batcher.submitAll(0, 100);
        batcher.runTasks();
        CompletableFuture<String> alone = batcher.submit(100);
        batcher.runTasks();
        assertThat(alone).isCompletedWithValue(TestedBatcher.answerTo(100));
    }

    @Test
    void after_large_answers_batches_are_as_small_as_their_answers_need() {
        List<Runnable> tasks = new ArrayList<>();
        List<Integer> batches = new ArrayList<>();
        StoredRecord large = completed(Response.of(new byte[300_000]));
        Batcher<BatchCall<Integer, StoredRecord>> reads = new Batcher<>(ALL_LARGE, tasks::add, task -> {}, calls -> {
            batches.add(calls.size());
            calls.forEach(call -> call.answer(large));
        });
        for (int round = 0; round < 2; round++) {
            IntStream.range(0, 7).forEach(n -> reads.submit(new BatchCall<>(n, 1, BatcherLoadTest::responseBytes)));
            while (!tasks.isEmpty()) {
                tasks.remove(0).run();
            }
        }
        assertThat(batches).as("a million bytes in a batch").containsExactly(7, 3, 3, 1);
    }

    private static long responseBytes(StoredRecord record) {
        return record.response() == null ? 0 : record.response().size();
    }

    private static StoredRecord completed(Response response) {
        StoredRecord granted = Changes.granted(StoreVerbs.request("k"), 1, Instant.EPOCH);
        return Changes.settled(granted, new Outcome.Completed(response), Duration.ofDays(1));
    }

    @Test
    void a_standby_takes_the_lane_from_code_that_blocks_on_what_only_this_lane_can_bring() throws Exception {
        try (BatchThreads threads = new BatchThreads("test");
                Batcher<BatchCall<Integer, Integer>> batcher = new Batcher<>(
                        ALL_LARGE, threads, calls -> calls.forEach(call -> call.answer(call.question())))) {
            CountDownLatch told = new CountDownLatch(50);
            for (int i = 0; i < 50; i++) {
                batcher.submit(new BatchCall<Integer, Integer>(i, 1)).stage().thenAccept(n -> {
                    batcher.call(new BatchCall<Integer, Integer>(1000 + n, 1)).answer();
                    told.countDown();
                });
            }
            assertThat(told.await(50, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void every_caller_gets_its_own_answer_while_lanes_are_taken_over() throws Exception {
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        try (BatchThreads threads = new BatchThreads("test");
                Batcher<BatchCall<Integer, Integer>> batcher = new Batcher<>(
                        ALL_LARGE, threads, calls -> calls.forEach(call -> call.answer(-call.question())))) {
            List<Thread> callers = IntStream.range(0, 16)
                    .mapToObj(caller -> new Thread(() -> {
                        for (int i = 1; i <= 500; i++) {
                            int question = caller * 1000 + i;
                            int answer = i % 3 == 0
                                    ? batcher.submit(new BatchCall<Integer, Integer>(question, 1))
                                            .stage()
                                            .thenApply(n -> batcher.call(new BatchCall<Integer, Integer>(-n, 1))
                                                    .answer())
                                            .toCompletableFuture()
                                            .join()
                                    : batcher.call(new BatchCall<Integer, Integer>(question, 1))
                                            .answer();
                            if (answer != -question) {
                                wrong.add(question + ": " + answer);
                            }
                        }
                    }))
                    .toList();
            callers.forEach(Thread::start);
            for (Thread caller : callers) {
                caller.join();
            }
        }
        assertThat(wrong).isEmpty();
    }
}
