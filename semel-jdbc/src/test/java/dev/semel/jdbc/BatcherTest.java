package dev.semel.jdbc;

import static dev.semel.jdbc.TestedBatcher.ONE_LANE;
import static dev.semel.jdbc.TestedBatcher.TWO_LANES;
import static dev.semel.jdbc.TestedBatcher.answerTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
    void one_worker_is_called_for_each_lane_however_many_calls_wait() {
        one.submitAll(0, 100);
        assertThat(one.tasks()).isEqualTo(1);
        TestedBatcher two = new TestedBatcher(TWO_LANES);
        two.submitAll(0, 100);
        assertThat(two.tasks()).isEqualTo(2);
    }

    @Test
    void a_lone_caller_who_joins_flushes_its_own_call_and_the_worker_finds_nothing() throws Exception {
        assertThat(one.submit(1).join()).isEqualTo(answerTo(1));
        one.runTasks();
        assertThat(one.submit(2).get()).isEqualTo(answerTo(2));
        one.runTasks();
        assertThat(one.flushes()).containsExactly(List.of(1), List.of(2));
        assertThat(one.threads()).containsOnly(Thread.currentThread());
    }

    @Test
    void a_lone_caller_who_joins_wakes_nobody() throws Exception {
        assertThat(one.ask(1).join()).isEqualTo(answerTo(1));
        assertThat(one.ask(2).get()).isEqualTo(answerTo(2));
        assertThat(one.tasks()).isZero();
    }

    private static Stream<Consumer<CompletableFuture<String>>> whatElseIsDoneWithACall() {
        return Stream.of(
                call -> call.thenApply(answer -> answer),
                call -> call.whenComplete((answer, failure) -> {}),
                CompletableFuture::toCompletableFuture,
                CompletableFuture::isDone,
                call -> call.getNow("none"),
                call -> call.orTimeout(1, TimeUnit.MINUTES),
                call -> assertThatThrownBy(() -> call.get(0, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class));
    }

    @ParameterizedTest
    @MethodSource("whatElseIsDoneWithACall")
    void a_lone_caller_who_does_not_block_has_a_worker_at_once(Consumer<CompletableFuture<String>> done) {
        CompletableFuture<String> call = one.ask(1);
        assertThat(one.tasks()).isZero();
        done.accept(call);
        done.accept(call);
        assertThat(one.tasks()).isEqualTo(1);
        one.runTasks();
        assertThat(call).isCompletedWithValue(answerTo(1));
    }

    @Test
    void a_call_whose_caller_forgets_it_is_flushed_when_patience_is_over() {
        one.ask(1);
        one.losePatience();
        one.runTasks();
        assertThat(one.flushes()).containsExactly(List.of(1));
    }

    @Test
    void a_call_whose_caller_forgets_it_is_flushed_although_there_was_no_thread_to_look_after_the_one_before() {
        List<Runnable> started = new ArrayList<>();
        List<Runnable> later = new ArrayList<>();
        AtomicReference<Error> refusal = new AtomicReference<>(new OutOfMemoryError("unable to create native thread"));
        List<Integer> flushed = new ArrayList<>();
        Batcher<Integer, String> pressed = new Batcher<>(
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
        pressed.submit(1, 1);
        later.remove(0).run();
        refusal.set(null);
        // Somebody else takes the first along.
        pressed.submit(2, 1);
        started.remove(0).run();
        pressed.submit(3, 1);
        later.remove(0).run();
        started.remove(0).run();
        assertThat(flushed).containsExactly(1, 2, 3);
    }

    @Test
    void a_call_that_rests_goes_with_the_batch_of_the_one_who_comes_next() {
        CompletableFuture<String> first = one.ask(1);
        one.ask(2);
        one.runTasks();
        assertThat(one.flushes()).containsExactly(List.of(1, 2));
        assertThat(first).isCompletedWithValue(answerTo(1));
    }

    @Test
    void a_call_that_nobody_blocks_on_is_answered_by_a_worker() {
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
    void a_caller_who_blocks_among_others_leaves_the_batch_to_a_worker() {
        CompletableFuture<String> first = one.submit(1);
        one.submit(2);
        one.help(first);
        assertThat(one.flushes()).isEmpty();
        one.runTasks();
        assertThat(one.flushes()).containsExactly(List.of(1, 2));
    }

    @Test
    void a_second_lane_takes_what_waits_while_the_first_is_on_its_way_and_no_third() {
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
    void a_batch_is_bounded_in_bytes_and_a_call_larger_than_that_travels_alone() {
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
                .withMessageContaining("too many requests wait");
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
    void a_caller_who_asks_and_blocks_in_what_follows_an_answer_has_a_free_lane() {
        List<CompletableFuture<String>> chained = one.submitAll(0, 3).stream()
                .map(call ->
                        call.thenApply(answer -> answer + ", " + one.submit(9).join()))
                .toList();
        // The only worker: it is in the callers' code until they have their second answers.
        one.runTasks();
        assertThat(answers(chained))
                .containsExactly("answer to 0, answer to 9", "answer to 1, answer to 9", "answer to 2, answer to 9");
    }

    @Test
    void what_follows_an_answer_and_throws_keeps_nobody_from_theirs() {
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
        assertThat(one.submit(3).join()).isEqualTo(answerTo(3));
    }

    @Test
    void a_caller_who_is_interrupted_while_it_joins_gets_its_answer() throws Exception {
        CompletableFuture<String> call = one.submit(1);
        one.submit(2);
        AtomicReference<String> heard = new AtomicReference<>();
        Thread caller =
                new Thread(() -> heard.set(call.join() + Thread.currentThread().isInterrupted()));
        caller.start();
        Awaitility.await().until(() -> caller.getState() == Thread.State.WAITING);
        caller.interrupt();
        one.runTasks();
        caller.join();
        assertThat(heard).hasValue(answerTo(1) + true);
    }

    @Test
    @DisplayName("a caller who is interrupted does not flush: its pool would give up, and all who wait with it")
    void a_caller_who_is_interrupted_leaves_its_call_to_a_worker() {
        CompletableFuture<String> call = one.ask(1);
        Thread.currentThread().interrupt();
        one.help(call);
        assertThat(one.flushes()).isEmpty();
        assertThatThrownBy(call::get).isInstanceOf(InterruptedException.class);
        one.runTasks();
        assertThat(call).isCompletedWithValue(answerTo(1));
    }

    @Test
    void closing_flushes_those_who_wait_and_refuses_those_who_come() {
        List<CompletableFuture<String>> calls = one.submitAll(0, 3);
        one.close();
        assertThat(answers(calls)).isEqualTo(answersTo(0, 3));
        assertThat(one.submit(3))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(StoreException.class)
                .withMessageContaining("the store is closed");
        one.runTasks();
        assertThat(one.flushes()).containsExactly(numbers(0, 3));
    }

    @Test
    void closing_waits_for_the_batch_that_is_on_its_way() throws Exception {
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
    void where_no_worker_can_be_had_callers_who_block_help_themselves_and_closing_flushes_the_rest() {
        Batcher<Integer, String> alone = new Batcher<>(
                ONE_LANE,
                task -> {
                    throw new RejectedExecutionException();
                },
                calls -> calls.forEach(call -> call.answer(answerTo(call.question()))));
        assertThat(alone.submit(1, 1).toCompletableFuture().join()).isEqualTo(answerTo(1));
        CompletableFuture<String> left = alone.submit(2, 1).toCompletableFuture();
        alone.close();
        assertThat(left).isCompletedWithValue(answerTo(2));
    }

    @Test
    void a_worker_that_cannot_be_started_for_want_of_memory_costs_nobody_the_answer() {
        List<Runnable> started = new ArrayList<>();
        AtomicReference<Error> refusal = new AtomicReference<>(new OutOfMemoryError("unable to create native thread"));
        Batcher<Integer, String> pressed = new Batcher<>(
                ONE_LANE,
                task -> {
                    if (refusal.get() != null) {
                        throw refusal.get();
                    }
                    started.add(task);
                },
                calls -> calls.forEach(call -> call.answer(answerTo(call.question()))));
        CompletableFuture<String> first = pressed.submit(1, 1).toCompletableFuture();
        refusal.set(null);
        CompletableFuture<String> second = pressed.submit(2, 1).toCompletableFuture();
        started.forEach(Runnable::run);
        assertThat(answers(List.of(first, second))).isEqualTo(answersTo(1, 3));
    }
}
