package dev.semel.jdbc.batch;

import static dev.semel.jdbc.batch.TestedBatcher.ONE_LANE;
import static dev.semel.jdbc.batch.TestedBatcher.answerTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.semel.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Batcher: a fault fails the calls that it concerns, and keeps no lane")
class BatcherFaultsTest {

    /** One batch, eight parts for each of sixteen divisions. */
    private static final int MOST_FLUSHES = 1 + 8 * 16;

    private static final int CALLS = 512;

    private final TestedBatcher batcher = new TestedBatcher(ONE_LANE);

    /** A batch with one of these is undone. */
    private void poison(Set<Integer> poisoned) {
        batcher.meanwhile(batch -> {
            if (batch.stream().anyMatch(poisoned::contains)) {
                throw new UndoneException("poisoned");
            }
        });
    }

    private static Throwable faultOf(CompletableFuture<String> call) {
        assertThat(call).isCompletedExceptionally();
        return call.handle((answer, fault) -> fault instanceof CompletionException ? fault.getCause() : fault)
                .join();
    }

    /** The numbers of those that failed; the others have their own answers. */
    private static Set<Integer> failed(List<CompletableFuture<String>> calls) {
        Set<Integer> failed = IntStream.range(0, calls.size())
                .filter(i -> calls.get(i).isCompletedExceptionally())
                .boxed()
                .collect(Collectors.toSet());
        for (int i = 0; i < calls.size(); i++) {
            if (!failed.contains(i)) {
                assertThat(calls.get(i)).isCompletedWithValue(answerTo(i));
            }
        }
        return failed;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 300, 511})
    void one_bad_call_of_512_fails_alone_after_a_few_flushes(int bad) {
        poison(Set.of(bad));
        List<CompletableFuture<String>> calls = batcher.submitAll(0, CALLS);
        batcher.runTasks();
        assertThat(failed(calls)).containsExactly(bad);
        assertThat(faultOf(calls.get(bad))).isInstanceOf(UndoneException.class);
        assertThat(batcher.flushes()).hasSize(1 + 8 + 8 + 8);
    }

    @Test
    void a_handful_of_bad_calls_fail_alone() {
        Set<Integer> bad = Set.of(3, 100, 207, 310, 511);
        poison(bad);
        List<CompletableFuture<String>> calls = batcher.submitAll(0, CALLS);
        batcher.runTasks();
        assertThat(failed(calls)).isEqualTo(bad);
    }

    @Test
    void where_every_call_is_bad_the_batch_ends_after_a_bounded_number_of_flushes() {
        batcher.meanwhile(batch -> {
            throw new UndoneException("poisoned");
        });
        List<CompletableFuture<String>> calls = batcher.submitAll(0, CALLS);
        batcher.runTasks();
        assertThat(failed(calls)).hasSize(CALLS);
        assertThat(batcher.flushes().size()).isLessThanOrEqualTo(MOST_FLUSHES);
    }

    @Test
    void a_bad_call_on_its_own_is_flushed_once() {
        poison(Set.of(0));
        CompletableFuture<String> call = batcher.submit(0);
        batcher.runTasks();
        assertThat(faultOf(call)).isInstanceOf(UndoneException.class);
        assertThat(batcher.flushes()).hasSize(1);
    }

    @Test
    void the_parts_of_a_batch_keep_the_order_of_arrival() {
        poison(Set.of(17));
        batcher.submitAll(0, 20);
        batcher.runTasks();
        List<Integer> asked = new ArrayList<>();
        batcher.flushes().stream().filter(batch -> batch.size() < 20).forEach(asked::addAll);
        assertThat(asked.stream().distinct()).isSorted().hasSize(20);
    }

    @Test
    void answers_that_were_noted_before_a_fault_are_kept_and_not_asked_for_again() {
        for (RuntimeException fault : List.of(
                new UndoneException("undone"),
                new StoreException("lost"),
                new UnreachableException("gone", new IllegalStateException()))) {
            List<List<Integer>> flushes = new ArrayList<>();
            List<Runnable> tasks = new ArrayList<>();
            Batcher<BatchCall<Integer, String>> halfway = new Batcher<>(ONE_LANE, tasks::add, task -> {}, calls -> {
                flushes.add(calls.stream().map(BatchCall::question).toList());
                calls.get(0).answer(answerTo(calls.get(0).question()));
                throw fault;
            });
            List<CompletableFuture<String>> calls = IntStream.range(0, 2)
                    .mapToObj(i -> halfway.submit(new BatchCall<Integer, String>(i, 1))
                            .stage()
                            .toCompletableFuture())
                    .toList();
            tasks.forEach(Runnable::run);
            assertThat(calls.get(0)).isCompletedWithValue(answerTo(0));
            assertThat(faultOf(calls.get(1))).isSameAs(fault);
            assertThat(flushes).containsExactly(List.of(0, 1));
        }
    }

    @Test
    void without_a_connection_every_call_that_waits_fails_after_one_flush() {
        TestedBatcher small = new TestedBatcher(new BatchLimits(1, 1, 1000, 10, 1_000, 1_000, 1_000_000));
        List<CompletableFuture<String>> calls = new ArrayList<>(small.submitAll(0, 100));
        UnreachableException gone = new UnreachableException("gone", new IllegalStateException());
        small.meanwhile(batch -> {
            if (calls.size() == 100) {
                calls.addAll(small.submitAll(100, 105));
                throw gone;
            }
        });
        small.runTasks();
        assertThat(small.flushes()).hasSize(1);
        assertThat(calls)
                .hasSize(105)
                .allSatisfy(call -> assertThat(faultOf(call)).isSameAs(gone));
        List<CompletableFuture<String>> later = small.submitAll(0, 3);
        small.runTasks();
        assertThat(failed(later)).as("calls that arrive later are run").isEmpty();
    }

    @Test
    void a_connection_that_is_lost_between_the_parts_of_a_batch_costs_no_answer_that_was_there() {
        batcher.meanwhile(batch -> {
            if (batch.size() == 16) {
                throw new UndoneException("divide");
            }
            if (batch.contains(8)) {
                throw new UnreachableException("gone", new IllegalStateException());
            }
        });
        List<CompletableFuture<String>> calls = batcher.submitAll(0, 16);
        batcher.runTasks();
        assertThat(failed(calls)).containsExactlyInAnyOrder(8, 9, 10, 11, 12, 13, 14, 15);
        assertThat(batcher.flushes()).hasSize(1 + 5);
    }

    @Test
    void any_other_fault_reaches_every_caller_of_the_batch_and_none_of_the_next() {
        for (Throwable fault :
                List.of(new StoreException("lost"), new IllegalStateException("bug"), new StackOverflowError("deep"))) {
            TestedBatcher faulty = new TestedBatcher(ONE_LANE);
            List<CompletableFuture<String>> calls = faulty.submitAll(0, 10);
            List<CompletableFuture<String>> next = new ArrayList<>();
            faulty.duringNextFlush(() -> {
                next.addAll(faulty.submitAll(0, 3));
                if (fault instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) fault;
            });
            faulty.runTasks();
            assertThat(calls).allSatisfy(call -> assertThat(faultOf(call)).isSameAs(fault));
            assertThat(failed(next)).isEmpty();
            assertThat(faulty.flushes()).hasSize(2);
        }
    }

    @Test
    void a_fault_reaches_a_caller_that_ran_its_own_call() {
        IllegalStateException fault = new IllegalStateException("bug");
        batcher.duringNextFlush(() -> {
            throw fault;
        });
        assertThatThrownBy(() -> batcher.call(0)).isSameAs(fault);
        StackOverflowError error = new StackOverflowError("deep");
        batcher.duringNextFlush(() -> {
            throw error;
        });
        assertThatThrownBy(() -> batcher.call(1)).isSameAs(error);
        assertThat(batcher.call(2)).isEqualTo(answerTo(2));
    }

    @Test
    void a_fault_of_the_batch_reaches_a_caller_that_waited_for_it() throws Exception {
        StoreException fault = new StoreException("lost");
        batcher.submit(0);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = new Thread(() -> thrown.set(catchThrowable(() -> batcher.call(1))));
        caller.start();
        Awaitility.await().until(() -> caller.getState() == Thread.State.WAITING);
        batcher.duringNextFlush(() -> {
            throw fault;
        });
        batcher.runTasks();
        caller.join();
        assertThat(thrown).hasValue(fault);
    }

    @Test
    void a_call_that_a_flush_left_without_an_answer_fails() {
        List<Runnable> tasks = new ArrayList<>();
        Batcher<BatchCall<Integer, String>> forgetful = new Batcher<>(
                ONE_LANE, tasks::add, task -> {}, calls -> calls.get(1).answer(answerTo(1)));
        CompletableFuture<String> forgotten =
                forgetful.submit(new BatchCall<Integer, String>(0, 1)).stage().toCompletableFuture();
        CompletableFuture<String> answered =
                forgetful.submit(new BatchCall<Integer, String>(1, 1)).stage().toCompletableFuture();
        tasks.forEach(Runnable::run);
        assertThat(faultOf(forgotten)).isInstanceOf(StoreException.class).hasMessageContaining("gave no answer");
        assertThat(answered).isCompletedWithValue(answerTo(1));
    }
}
