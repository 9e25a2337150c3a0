package dev.semel.messaging.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.RecordedFailureException;
import dev.semel.Refusal;
import dev.semel.RefusedException;
import dev.semel.Scope;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.stores.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An idempotent command bus")
class IdempotentCommandBusTest {

    private record Receipt(String number, long cents) {}

    private record Pay(String commandId, String tenant, long cents) implements Command<Receipt> {}

    private record Notify(String commandId, String text) implements Command<@Nullable Void> {}

    private record Rename(String commandId, String name) implements Command<String> {}

    private record Unregistered(String commandId) implements Command<String> {}

    private static final Codec<Receipt> RECEIPTS =
            Codec.of(receipt -> (receipt.number() + " " + receipt.cents()).getBytes(UTF_8), bytes -> {
                String[] parts = new String(bytes, UTF_8).split(" ", 2);
                return new Receipt(parts[0], Long.parseLong(parts[1]));
            });

    /** Executes commands, and counts them. */
    private final class Plain implements CommandBus {

        @Override
        @SuppressWarnings("unchecked")
        public <R extends @Nullable Object> R dispatch(Command<R> command) {
            executed.add(command.commandId());
            begun.countDown();
            if (failure != null) {
                throw failure;
            }
            if (command instanceof Pay pay) {
                await();
                return (R) new Receipt("r" + executed.size(), pay.cents());
            }
            return command instanceof Rename rename ? (R) rename.name() : null;
        }

        private void await() {
            try {
                finish.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private final List<String> executed = Collections.synchronizedList(new ArrayList<>());
    private volatile @Nullable RuntimeException failure;
    private volatile CountDownLatch begun = new CountDownLatch(0);
    private volatile CountDownLatch finish = new CountDownLatch(0);

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final SemelEngine semel = SemelEngine.on(store).build();
    private final IdempotentCommandBus bus = bus(Operation.named("pay"));

    @AfterEach
    void close() {
        semel.close();
    }

    /** As JSON, by hand. */
    private static byte[] payload(Command<?> command) {
        String said = command instanceof Pay pay
                ? "{\"cents\":" + pay.cents() + "}"
                : command instanceof Notify notify ? notify.text() : ((Rename) command).name();
        return said.getBytes(UTF_8);
    }

    private IdempotentCommandBus bus(Operation pay) {
        return IdempotentCommandBus.around(new Plain(), semel, IdempotentCommandBusTest::payload)
                .scope(command -> Scope.of(command instanceof Pay said ? said.tenant() : "all"))
                .result(Receipt.class, RECEIPTS)
                .command(Pay.class, Receipt.class, pay)
                .command(Notify.class, Void.class, Operation.named("notify"))
                .command(Rename.class, Codec.text(), Operation.named("rename"))
                .build();
    }

    @Test
    void returns_the_first_result_for_a_command_that_is_dispatched_again() {
        Pay pay = new Pay("c1", "acme", 1999);
        assertThat(bus.dispatch(pay)).isEqualTo(new Receipt("r1", 1999));
        assertThat(bus.dispatch(pay)).isEqualTo(new Receipt("r1", 1999));
        assertThat(bus.execute(pay)).isInstanceOf(Execution.Replayed.class);
        assertThat(executed).containsExactly("c1");
    }

    @Test
    void executes_commands_without_a_result_once_as_well() {
        assertThat(bus.dispatch(new Notify("c1", "hello"))).isNull();
        assertThat(bus.dispatch(new Notify("c1", "hello"))).isNull();
        assertThat(executed).containsExactly("c1");
    }

    @Test
    void refuses_an_id_that_was_used_for_another_payload_or_another_kind_of_command() {
        bus.dispatch(new Notify("c1", "hello"));
        for (Command<?> other : List.of(new Notify("c1", "goodbye"), new Rename("c1", "hello"))) {
            assertThatThrownBy(() -> bus.dispatch(other))
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refused -> assertThat(refused.execution())
                                    .isEqualTo(new Execution.Refused<>(new Refusal.Mismatch())));
        }
        assertThat(executed).hasSize(1);
    }

    @Test
    void separates_scopes() {
        bus.dispatch(new Pay("c1", "acme", 1999));
        assertThat(bus.dispatch(new Pay("c1", "globex", 5))).isEqualTo(new Receipt("r2", 5));
    }

    @Test
    void replays_a_failure_when_the_policy_replays_failures() {
        failure = new IllegalStateException("card declined");
        Pay pay = new Pay("c1", "acme", 1999);
        assertThatThrownBy(() -> bus.dispatch(pay)).isSameAs(failure);
        failure = null;
        assertThatThrownBy(() -> bus.dispatch(pay)).isInstanceOfSatisfying(RecordedFailureException.class, recorded -> {
            assertThat(recorded).hasMessage("card declined");
            assertThat(recorded.type()).isEqualTo(IllegalStateException.class.getName());
        });
        assertThat(executed).hasSize(1);
    }

    @Test
    void executes_again_after_a_failure_when_the_policy_retries_failures() {
        IdempotentCommandBus retrying = bus(Operation.named("pay").failures(Failures.RETRY));
        failure = new IllegalStateException("no network");
        Pay pay = new Pay("c1", "acme", 1999);
        assertThatThrownBy(() -> retrying.dispatch(pay)).isSameAs(failure);
        failure = null;
        assertThat(retrying.dispatch(pay)).isEqualTo(new Receipt("r2", 1999));
    }

    @Test
    void executes_nothing_while_the_outcome_is_unknown() {
        IdempotentCommandBus doubting = bus(Operation.named("pay").failures(Failures.RECONCILE));
        failure = new IllegalStateException("timeout");
        Pay pay = new Pay("c1", "acme", 1999);
        assertThatThrownBy(() -> doubting.dispatch(pay)).isSameAs(failure);
        failure = null;
        assertThat(doubting.execute(pay))
                .isInstanceOfSatisfying(
                        Execution.Refused.class,
                        refused -> assertThat(refused.why()).isInstanceOf(Refusal.OutcomeUnknown.class));
        assertThat(executed).hasSize(1);
    }

    @Test
    void refuses_a_duplicate_of_a_command_that_is_being_executed() throws Exception {
        assertThat(duplicateOf(bus, () -> finish.countDown(), false)).isInstanceOf(Execution.Refused.class);
    }

    @Test
    void lets_a_duplicate_wait_for_the_result_when_the_operation_allows_it() throws Exception {
        IdempotentCommandBus patient = bus(Operation.named("pay").waitUpTo(Duration.ofSeconds(30)));
        assertThat(duplicateOf(patient, () -> {}, true)).isEqualTo(new Execution.Replayed<>(new Receipt("r1", 1999)));
    }

    /** Dispatches a command twice at once. */
    private Execution<Receipt> duplicateOf(IdempotentCommandBus where, Runnable afterwards, boolean finishFirst)
            throws Exception {
        begun = new CountDownLatch(1);
        finish = new CountDownLatch(1);
        Pay pay = new Pay("c1", "acme", 1999);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Receipt> first = threads.submit(() -> where.dispatch(pay));
            begun.await();
            Future<Execution<Receipt>> second = threads.submit(() -> where.execute(pay));
            if (finishFirst) {
                finish.countDown();
            }
            Execution<Receipt> duplicate = second.get();
            afterwards.run();
            assertThat(first.get()).isEqualTo(new Receipt("r1", 1999));
            assertThat(executed).hasSize(1);
            return duplicate;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void executes_nothing_while_the_store_is_unavailable() {
        store.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        assertThatThrownBy(() -> bus.dispatch(new Rename("c1", "x"))).isInstanceOf(StoreException.class);
        assertThat(executed).isEmpty();
    }

    @Test
    void passes_the_attempt_to_executors() {
        List<String> keys = new ArrayList<>();
        CommandExecutor executor = new CommandExecutor() {
            @Override
            @SuppressWarnings("unchecked")
            public <R extends @Nullable Object> R execute(Command<R> command, Attempt attempt) {
                keys.add(attempt.downstreamKey("provider"));
                return (R) "renamed";
            }
        };
        IdempotentCommandBus attempting = IdempotentCommandBus.around(
                        executor, semel, IdempotentCommandBusTest::payload)
                .command(Rename.class, String.class, Operation.named("rename"))
                .build();
        assertThat(attempting.dispatch(new Rename("c1", "x"))).isEqualTo("renamed");
        assertThat(keys).hasSize(1);
    }

    @Test
    void refuses_an_unregistered_command() {
        assertThatThrownBy(() -> bus.dispatch(new Unregistered("c1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Unregistered");
        assertThat(executed).isEmpty();
    }

    @Test
    void refuses_to_register_a_command_without_a_codec_for_its_result() {
        IdempotentCommandBus.Builder builder =
                IdempotentCommandBus.around(new Plain(), semel, IdempotentCommandBusTest::payload);
        assertThatThrownBy(() -> builder.command(Pay.class, Receipt.class, Operation.named("pay")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Receipt.class");
        builder.command(Rename.class, String.class, Operation.named("rename"));
        assertThatThrownBy(() -> builder.command(Rename.class, String.class, Operation.named("rename")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
