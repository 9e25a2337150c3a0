package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

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

@DisplayName("Batcher: a crowd that is told comes back as one batch, and nobody's code keeps a lane")
@Timeout(60)
class BatcherCrowdTest {

    /** Every batch counts as large. */
    private static final BatchLimits CROWD = new BatchLimits(1, 1, 0, 512, 1_000_000, 1_000, 1_000_000);

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
    void who_goes_to_another_batcher_when_told_waits_there_for_the_others() {
        List<Runnable> tasks = new ArrayList<>();
        List<Runnable> settlingTasks = new ArrayList<>();
        Tellers tellers = new Tellers();
        List<Integer> settlements = new ArrayList<>();
        Batcher<Integer, Integer> settling = new Batcher<>(CROWD, settlingTasks::add, tellers, calls -> {
            settlements.add(calls.size());
            calls.forEach(call -> call.answer(call.question()));
        });
        Batcher<Integer, Integer> claiming =
                new Batcher<>(CROWD, tasks::add, tellers, calls -> calls.forEach(call -> call.answer(call.question())));
        for (int round = 0; round < 2; round++) {
            List<CompletableFuture<Integer>> claims = IntStream.range(0, 100)
                    .mapToObj(n -> claiming.submit(n, 1).toCompletableFuture())
                    .toList();
            int secondRound = round;
            claims.forEach(claim -> claim.thenAccept(n -> {
                settling.submit(n, 1);
                if (secondRound == 1 && n < 10) {
                    run(settlingTasks);
                }
            }));
            run(tasks);
            run(settlingTasks);
        }
        assertThat(settlements).containsExactly(100, 100);
    }

    @Test
    void a_call_is_not_kept_waiting_by_tellers_of_whom_there_is_always_one() {
        List<Runnable> tasks = new ArrayList<>();
        Tellers tellers = new Tellers();
        Batcher<Integer, Integer> batcher =
                new Batcher<>(CROWD, tasks::add, tellers, calls -> calls.forEach(call -> call.answer(call.question())));
        IntStream.range(0, 100).forEach(n -> batcher.submit(n, 1));
        run(tasks);
        tellers.begin();
        tellers.begin();
        CompletableFuture<Integer> alone = batcher.submit(1, 1).toCompletableFuture();
        run(tasks);
        assertThat(alone).as("while both tell").isNotDone();
        tellers.end();
        run(tasks);
        assertThat(alone).as("when one of them is done").isCompletedWithValue(1);
    }

    @Test
    void closing_waits_for_nobody_who_tells() {
        Tellers tellers = new Tellers();
        List<Runnable> tasks = new ArrayList<>();
        Batcher<Integer, Integer> batcher =
                new Batcher<>(CROWD, tasks::add, tellers, calls -> calls.forEach(call -> call.answer(call.question())));
        IntStream.range(0, 100).forEach(n -> batcher.submit(n, 1));
        run(tasks);
        tellers.begin();
        CompletableFuture<Integer> left = batcher.submit(1, 1).toCompletableFuture();
        batcher.close();
        assertThat(left).isCompletedWithValue(1);
    }

    private static void run(List<Runnable> tasks) {
        while (!tasks.isEmpty()) {
            tasks.remove(0).run();
        }
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
