package dev.semel.jdbc;

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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Batcher: a crowd that is told comes back as one batch, and nobody's code keeps a lane")
@Timeout(300)
class BatcherCrowdTest {

    /** Every batch counts as large. */
    private static final BatchLimits CROWD = new BatchLimits(1, 1, 0, 512, 1_000_000, 1_000, 1_000_000);

    private static final BatchLimits TWO_LANES = new BatchLimits(2, 2, 0, 512, 1_000_000, 1_000, 1_000_000);

    @Test
    void those_who_ask_again_when_they_are_told_are_one_batch() {
        TestedBatcher batcher = new TestedBatcher(CROWD);
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
    void a_crowd_divides_itself_evenly_among_the_lanes() {
        TestedBatcher batcher = new TestedBatcher(TWO_LANES);
        batcher.submitAll(0, 100);
        batcher.duringNextFlush(batcher::runTasks);
        batcher.runTasks();
        assertThat(batcher.flushes()).extracting(List::size).containsExactly(50, 50);
    }

    @Test
    void a_crumb_waits_for_those_on_their_way_and_goes_when_they_are_told() {
        TestedBatcher batcher = new TestedBatcher(TWO_LANES);
        List<CompletableFuture<String>> crumb = new ArrayList<>();
        batcher.submitAll(0, 100);
        batcher.duringNextFlush(() -> {
            batcher.duringNextFlush(() -> {});
            batcher.runTasks();
            crumb.addAll(batcher.submitAll(100, 110));
            batcher.runTasks();
            assertThat(crumb).as("half of the crowd is on its way").noneMatch(CompletableFuture::isDone);
        });
        batcher.runTasks();
        assertThat(batcher.flushes()).extracting(List::size).containsExactly(50, 50, 10);
        assertThat(crumb).allMatch(CompletableFuture::isDone);
    }

    @Test
    void a_crumb_goes_alone_when_those_on_their_way_are_held_up() {
        TestedBatcher batcher = new TestedBatcher(TWO_LANES);
        batcher.submitAll(0, 100);
        batcher.duringNextFlush(() -> {
            batcher.runTasks();
            CompletableFuture<String> crumb = batcher.submit(100);
            batcher.runTasks();
            assertThat(crumb).as("it is patient").isNotDone();
            batcher.losePatience();
            assertThat(crumb).isCompletedWithValue(TestedBatcher.answerTo(100));
        });
        batcher.runTasks();
        assertThat(batcher.flushes()).extracting(List::size).containsExactly(50, 50, 1);
    }

    @Test
    void who_came_later_than_the_crumb_that_was_looked_for_is_patient_anew() {
        TestedBatcher batcher = new TestedBatcher(TWO_LANES);
        batcher.submitAll(0, 100);
        batcher.duringNextFlush(() -> {
            batcher.runTasks();
            List<CompletableFuture<String>> calls = new ArrayList<>(batcher.submitAll(100, 125));
            batcher.runTasks();
            assertThat(calls).as("half a share").allMatch(CompletableFuture::isDone);
            CompletableFuture<String> crumb = batcher.submit(125);
            batcher.losePatience();
            assertThat(crumb).isNotDone();
            batcher.losePatience();
            assertThat(crumb).isDone();
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
    void a_lone_call_has_a_lane_when_nobody_is_on_the_way_however_large_the_crowd_was() {
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
        Batcher<Integer, Optional<StoredRecord>> reads = new Batcher<>(CROWD, tasks::add, calls -> {
            batches.add(calls.size());
            calls.forEach(call -> call.answer(Optional.of(large)));
        });
        for (int round = 0; round < 2; round++) {
            IntStream.range(0, 7).forEach(n -> reads.submit(n, 1));
            while (!tasks.isEmpty()) {
                tasks.remove(0).run();
            }
        }
        assertThat(batches).as("a million bytes in a batch").containsExactly(7, 3, 3, 1);
    }

    private static StoredRecord completed(Response response) {
        StoredRecord granted = Changes.granted(StoreVerbs.request("k"), 1, Instant.EPOCH);
        return Changes.settled(granted, new Outcome.Completed(response), Duration.ofDays(1));
    }

    @Test
    void code_that_blocks_on_what_only_this_lane_can_bring_is_relieved() throws Exception {
        try (BatchThreads threads = new BatchThreads("test");
                Batcher<Integer, Integer> batcher =
                        new Batcher<>(CROWD, threads, calls -> calls.forEach(call -> call.answer(call.question())))) {
            CountDownLatch told = new CountDownLatch(50);
            for (int i = 0; i < 50; i++) {
                batcher.submit(i, 1).thenAccept(n -> {
                    batcher.submit(1000 + n, 1)
                            .thenApply(answer -> answer + 1)
                            .toCompletableFuture()
                            .join();
                    told.countDown();
                });
            }
            assertThat(told.await(50, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void everybody_gets_the_own_answer_while_lanes_are_taken_over() throws Exception {
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        try (BatchThreads threads = new BatchThreads("test");
                Batcher<Integer, Integer> batcher =
                        new Batcher<>(CROWD, threads, calls -> calls.forEach(call -> call.answer(-call.question())))) {
            List<Thread> callers = IntStream.range(0, 16)
                    .mapToObj(caller -> new Thread(() -> {
                        for (int i = 1; i <= 500; i++) {
                            int question = caller * 1000 + i;
                            CompletableFuture<Integer> call =
                                    batcher.submit(question, 1).toCompletableFuture();
                            int answer = i % 3 == 0
                                    ? call.thenApply(n -> batcher.submit(-n, 1)
                                                    .toCompletableFuture()
                                                    .join())
                                            .join()
                                    : call.join();
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
