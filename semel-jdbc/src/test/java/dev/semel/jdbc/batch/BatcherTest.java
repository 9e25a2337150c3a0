package dev.semel.jdbc.batch;

import static dev.semel.jdbc.batch.TestedBatcher.ONE_LANE;
import static dev.semel.jdbc.batch.TestedBatcher.TWO_LANES;
import static dev.semel.jdbc.batch.TestedBatcher.answerTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Batcher: calls that arrive while the store is busy are its next batch")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BatcherTest {

    private final TestedBatcher one = new TestedBatcher(ONE_LANE);

    private static List<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private static List<String> answers(List<CompletableFuture<String>> calls) {
        return calls.stream().map(call -> call.getNow("none")).toList();
    }

    private static List<String> answersTo(int from, int to) {
        return IntStream.range(from, to).mapToObj(TestedBatcher::answerTo).toList();
    }

    @Test
    void what_arrives_while_the_lane_is_busy_is_the_next_batch_in_the_order_of_arrival() {
        List<CompletableFuture<String>> calls = new ArrayList<>(one.submitAll(0, 1));
        one.duringNextFlush(() -> calls.addAll(one.submitAll(1, 100)));
        one.runTasks();
        assertThat(one.flushes()).containsExactly(numbers(0, 1), numbers(1, 100));
        assertThat(answers(calls)).isEqualTo(answersTo(0, 100));
    }

    @Test
    void one_worker_is_started_for_each_lane_however_many_calls_wait() {
        one.submitAll(0, 100);
        assertThat(one.tasks()).isEqualTo(1);
        TestedBatcher two = new TestedBatcher(TWO_LANES);
        two.submitAll(0, 100);
        assertThat(two.tasks()).isEqualTo(2);
    }

    @Test
    void a_lone_caller_that_waits_runs_its_own_call_and_starts_no_worker() {
        assertThat(one.call(1)).isEqualTo(answerTo(1));
        assertThat(one.call(2)).isEqualTo(answerTo(2));
        assertThat(one.flushes()).containsExactly(List.of(1), List.of(2));
        assertThat(one.threads()).containsOnly(Thread.currentThread());
        assertThat(one.tasks()).isZero();
    }

    @Test
    void a_lone_caller_that_does_not_wait_has_a_worker_at_once() {
        CompletableFuture<String> call = one.submit(1);
        assertThat(one.tasks()).isEqualTo(1);
        assertThat(call).isNotDone();
        one.runTasks();
        assertThat(call).isCompletedWithValue(answerTo(1));
    }

    @Test
    void a_call_for_which_no_thread_could_be_started_is_run_when_there_are_threads_again() {
        List<Runnable> started = new ArrayList<>();
        List<Runnable> later = new ArrayList<>();
        AtomicReference<Error> refusal = new AtomicReference<>(new OutOfMemoryError("unable to create native thread"));
        List<Integer> flushed = new ArrayList<>();
        Batcher<BatchCall<Integer, String>> pressed = new Batcher<>(
                ONE_LANE,
                task -> {
                    if (refusal.get() != null) {
                        throw refusal.get();
                    }
                    started.add(task);
                },
                later::add,
                calls -> calls.forEach(call -> {
                    flushed.add(call.question());
                    call.answer(answerTo(call.question()));
                }));
        pressed.submit(new BatchCall<>(1, 1));
        later.remove(0).run();
        refusal.set(null);
        later.remove(0).run();
        started.remove(0).run();
        assertThat(flushed).containsExactly(1);
        pressed.submit(new BatchCall<>(2, 1));
        started.remove(0).run();
        assertThat(flushed).containsExactly(1, 2);
        assertThat(later).isEmpty();
    }

    @Test
    void a_call_is_run_although_neither_a_worker_nor_a_timer_could_be_started_for_the_one_before() {
        List<Runnable> started = new ArrayList<>();
        AtomicReference<Error> refusal = new AtomicReference<>(new OutOfMemoryError("unable to create native thread"));
        List<Integer> flushed = new ArrayList<>();
        Executor executor = task -> {
            if (refusal.get() != null) {
                throw refusal.get();
            }
            started.add(task);
        };
        Batcher<BatchCall<Integer, String>> pressed = new Batcher<>(
                ONE_LANE,
                executor,
                executor,
                calls -> calls.forEach(call -> {
                    flushed.add(call.question());
                    call.answer(answerTo(call.question()));
                }));
        pressed.submit(new BatchCall<>(1, 1));
        refusal.set(null);
        pressed.submit(new BatchCall<>(2, 1));
        started.forEach(Runnable::run);
        assertThat(flushed).containsExactly(1, 2);
    }

    @Test
    void calls_that_arrive_before_the_worker_begins_share_its_batch() {
        CompletableFuture<String> first = one.submit(1);
        one.beginCall(2);
        one.submit(3);
        one.runTasks();
        assertThat(one.flushes()).containsExactly(List.of(1, 2, 3));
        assertThat(first).isCompletedWithValue(answerTo(1));
    }

    @Test
    void what_depends_on_a_submitted_call_is_run_by_a_worker() {
        CompletableFuture<String> dependent = one.submit(1).thenApply(answer -> answer + "!");
        assertThat(dependent).isNotDone();
        one.runTasks();
        assertThat(dependent).isCompletedWithValue(answerTo(1) + "!");
    }

    @Test
    void blocking_on_a_dependent_stage_is_answered_by_a_worker() throws Exception {
        CompletableFuture<String> dependent = one.submit(1).thenApply(answer -> answer + "!");
        Thread worker = new Thread(one::runTasks);
        worker.start();
        assertThat(dependent.join()).isEqualTo(answerTo(1) + "!");
        worker.join();
        assertThat(one.threads()).containsExactly(worker);
    }

    @Test
    void a_caller_that_waits_while_others_wait_leaves_the_batch_to_a_worker() {
        one.submit(1);
        one.beginCall(2);
        assertThat(one.flushes()).isEmpty();
        one.runTasks();
        assertThat(one.flushes()).containsExactly(List.of(1, 2));
    }

    @Test
    void a_caller_that_waits_while_the_lane_is_busy_is_in_the_next_batch() {
        one.submit(1);
        List<CompletableFuture<String>> later = new ArrayList<>();
        one.duringNextFlush(() -> {
            later.add(one.beginCall(2));
            assertThat(later.get(0)).isNotDone();
        });
        one.runTasks();
        assertThat(one.flushes()).containsExactly(List.of(1), List.of(2));
        assertThat(later.get(0)).isCompletedWithValue(answerTo(2));
    }

    @Test
    void callers_that_wait_run_side_by_side_as_long_as_there_are_lanes() {
        TestedBatcher two = new TestedBatcher(TWO_LANES);
        two.duringNextFlush(() -> {
            assertThat(two.call(2)).isEqualTo(answerTo(2));
            two.duringNextFlush(() -> assertThat(two.beginCall(4)).isNotDone());
            assertThat(two.call(3)).isEqualTo(answerTo(3));
        });
        assertThat(two.call(1)).isEqualTo(answerTo(1));
        two.runTasks();
        assertThat(two.flushes()).containsExactly(List.of(1), List.of(2), List.of(3), List.of(4));
    }

    @Test
    void a_second_lane_takes_what_waits_while_the_first_is_busy_and_there_is_no_third() {
        TestedBatcher two = new TestedBatcher(TWO_LANES);
        CompletableFuture<String> first = two.submit(1);
        List<CompletableFuture<String>> later = new ArrayList<>();
        two.duringNextFlush(() -> {
            later.add(two.submit(2));
            two.duringNextFlush(() -> {
                later.addAll(two.submitAll(3, 6));
                two.runTasks();
                assertThat(two.flushes()).as("both lanes are taken").hasSize(2);
            });
            two.runTask();
            assertThat(later).first().satisfies(call -> assertThat(call).isCompletedWithValue(answerTo(2)));
            assertThat(first).isNotDone();
        });
        two.runTasks();
        assertThat(two.flushes()).containsExactly(List.of(1), List.of(2), List.of(3, 4, 5));
        assertThat(answers(later)).isEqualTo(answersTo(2, 6));
    }

    @Test
    void a_batch_is_bounded_in_calls() {
        TestedBatcher small = new TestedBatcher(new BatchLimits(1, 1, 1000, 4, 1_000, 1_000, 1_000_000));
        small.submitAll(0, 10);
        small.runTasks();
        assertThat(small.flushes()).containsExactly(numbers(0, 4), numbers(4, 8), numbers(8, 10));
    }

    @Test
    void a_batch_is_bounded_in_bytes_and_a_call_larger_than_that_is_alone() {
        TestedBatcher small = new TestedBatcher(new BatchLimits(1, 1, 1000, 512, 100, 1_000, 1_000_000));
        small.submit(0, 60);
        small.submit(1, 40);
        small.submit(2, 1);
        small.submit(3, 500);
        small.submit(4, 1);
        small.runTasks();
        assertThat(small.flushes()).containsExactly(List.of(0, 1), List.of(2), List.of(3), List.of(4));
    }

    @Test
    void more_calls_than_may_wait_fail_at_once_and_those_before_them_do_not() {
        TestedBatcher small = new TestedBatcher(new BatchLimits(1, 1, 1000, 512, 1_000, 3, 1_000_000));
        List<CompletableFuture<String>> calls = small.submitAll(0, 3);
        assertThat(small.submit(3))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(StoreException.class)
                .withMessageContaining("the store's queue is full (3 requests); retry later");
        small.runTasks();
        assertThat(answers(calls)).isEqualTo(answersTo(0, 3));
        List<CompletableFuture<String>> next = small.submitAll(4, 7);
        small.runTasks();
        assertThat(answers(next)).as("room again").isEqualTo(answersTo(4, 7));
    }

    @Test
    void more_bytes_than_may_wait_fail_at_once_but_one_call_is_always_admitted() {
        TestedBatcher small = new TestedBatcher(new BatchLimits(1, 1, 1000, 512, 1_000, 1_000, 100));
        CompletableFuture<String> large = small.submit(0, 1_000);
        assertThat(small.submit(1, 1)).isCompletedExceptionally();
        small.runTasks();
        assertThat(large).isCompletedWithValue(answerTo(0));
        List<CompletableFuture<String>> fitting = List.of(small.submit(2, 50), small.submit(3, 50));
        assertThat(small.submit(4, 1)).isCompletedExceptionally();
        small.runTasks();
        assertThat(answers(fitting)).isEqualTo(answersTo(2, 4));
    }

    @Test
    void a_caller_that_calls_in_what_follows_an_answer_has_a_free_lane() {
        List<CompletableFuture<String>> chained = one.submitAll(0, 3).stream()
                .map(call -> call.thenApply(answer -> answer + ", " + one.beginCall(9)))
                .toList();
        one.runTask();
        assertThat(one.tasks())
                .as("a worker for the second calls, beside the one that runs the callers' code")
                .isEqualTo(1);
        assertThat(chained).allMatch(CompletableFuture::isDone);
        one.runTasks();
        assertThat(one.flushes()).containsExactly(numbers(0, 3), List.of(9, 9, 9));
    }

    @Test
    void a_caller_that_waits_after_calls_that_shared_a_batch_shares_the_next_one_until_calls_run_alone_again() {
        one.submitAll(0, 2);
        one.runTasks();
        CompletableFuture<String> second = one.beginCall(2);
        assertThat(second).as("others most likely ask again").isNotDone();
        one.submit(3);
        one.runTasks();
        assertThat(second).isCompletedWithValue(answerTo(2));
        one.submit(4);
        one.runTasks();
        assertThat(one.call(5)).isEqualTo(answerTo(5));
        assertThat(one.flushes()).containsExactly(numbers(0, 2), numbers(2, 4), List.of(4), List.of(5));
        assertThat(one.tasks()).isZero();
    }

    @Test
    void what_follows_an_answer_and_throws_keeps_no_other_call_from_its_answer() {
        List<CompletableFuture<String>> calls = one.submitAll(0, 3);
        CompletableFuture<String> failed = calls.get(0).thenApply(answer -> {
            throw new IllegalStateException(answer);
        });
        one.runTasks();
        assertThat(failed).isCompletedExceptionally();
        assertThat(answers(calls)).isEqualTo(answersTo(0, 3));
    }

    @Test
    void a_call_that_was_cancelled_does_its_neighbours_no_harm() {
        List<CompletableFuture<String>> calls = one.submitAll(0, 3);
        calls.get(1).cancel(true);
        one.runTasks();
        assertThat(calls.get(1)).isCancelled();
        assertThat(calls.get(0)).isCompletedWithValue(answerTo(0));
        assertThat(calls.get(2)).isCompletedWithValue(answerTo(2));
        CompletableFuture<String> next = one.submit(3);
        one.runTasks();
        assertThat(next).isCompletedWithValue(answerTo(3));
    }

    @Test
    void a_caller_that_is_interrupted_while_it_waits_gets_its_answer() throws Exception {
        one.submit(1);
        AtomicReference<String> heard = new AtomicReference<>();
        Thread caller =
                new Thread(() -> heard.set(one.call(2) + Thread.currentThread().isInterrupted()));
        caller.start();
        Awaitility.await().until(() -> caller.getState() == Thread.State.WAITING);
        caller.interrupt();
        one.runTasks();
        caller.join();
        assertThat(heard).hasValue(answerTo(2) + true);
    }

    @Test
    @DisplayName("a caller that is interrupted runs nothing: its connection pool would refuse it")
    void a_caller_that_is_interrupted_leaves_its_call_to_a_worker() {
        Thread.currentThread().interrupt();
        CompletableFuture<String> call = one.beginCall(1);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(one.flushes()).isEmpty();
        one.runTasks();
        assertThat(call).isCompletedWithValue(answerTo(1));
    }

    @Test
    void closing_runs_calls_that_wait_and_refuses_new_ones() {
        List<CompletableFuture<String>> calls = one.submitAll(0, 3);
        one.close();
        assertThat(answers(calls)).isEqualTo(answersTo(0, 3));
        assertThat(one.submit(3))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(StoreException.class)
                .withMessageContaining("the store is closed");
        assertThatThrownBy(() -> one.call(4)).isInstanceOf(StoreException.class).hasMessage("the store is closed");
        one.runTasks();
        assertThat(one.flushes()).containsExactly(numbers(0, 3));
    }

    @Test
    void closing_waits_for_the_batch_that_runs() throws Exception {
        CompletableFuture<String> call = one.submit(1);
        AtomicReference<Thread> closing = new AtomicReference<>();
        one.duringNextFlush(() -> {
            Thread thread = new Thread(one::close);
            closing.set(thread);
            thread.start();
            Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        });
        one.runTasks();
        closing.get().join();
        assertThat(call).isCompletedWithValue(answerTo(1));
    }

    @Test
    void closing_waits_for_a_lone_caller_that_runs_its_own_call() throws Exception {
        AtomicReference<Thread> closing = new AtomicReference<>();
        one.duringNextFlush(() -> {
            Thread thread = new Thread(one::close);
            closing.set(thread);
            thread.start();
            Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        });
        assertThat(one.call(1)).isEqualTo(answerTo(1));
        closing.get().join();
    }

    @Test
    void without_any_worker_lone_callers_that_wait_run_their_calls_and_closing_runs_the_rest() {
        Executor refusing = task -> {
            throw new RejectedExecutionException();
        };
        Batcher<BatchCall<Integer, String>> alone = new Batcher<>(
                ONE_LANE, refusing, refusing, calls -> calls.forEach(call -> call.answer(answerTo(call.question()))));
        assertThat(alone.call(new BatchCall<Integer, String>(1, 1)).answer()).isEqualTo(answerTo(1));
        CompletableFuture<String> left =
                alone.submit(new BatchCall<Integer, String>(2, 1)).stage().toCompletableFuture();
        alone.close();
        assertThat(left).isCompletedWithValue(answerTo(2));
    }

    @Test
    void what_a_thread_gathers_is_run_on_that_thread_and_what_it_calls_meanwhile_does_not_wait_for_it() {
        Batcher<BatchCall<Integer, String>> batcher = new Batcher<>(
                ONE_LANE, task -> {}, task -> {}, calls -> calls.forEach(call -> call.answer(calls.size() + " calls")));
        List<CompletableFuture<String>> gathered = new ArrayList<>();
        batcher.together(() -> {
            for (int i = 0; i < 3; i++) {
                gathered.add(batcher.submit(new BatchCall<Integer, String>(i, 1))
                        .stage()
                        .toCompletableFuture());
            }
            assertThat(batcher.call(new BatchCall<Integer, String>(3, 1)).answer())
                    .isEqualTo("1 calls");
            assertThat(gathered).noneMatch(CompletableFuture::isDone);
        });
        assertThat(answers(gathered)).containsExactly("3 calls", "3 calls", "3 calls");
    }
}
