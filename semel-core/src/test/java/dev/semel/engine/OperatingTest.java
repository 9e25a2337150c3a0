package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Execution;
import dev.semel.Identity;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("operating")
class OperatingTest extends EngineFixture {

    private static final Evidence EVIDENCE = new Evidence("person:alice", "the bank's statement shows it");

    private static Verdict.Final happened(String text) {
        return new Verdict.Happened(Response.of(text.getBytes(StandardCharsets.UTF_8)), EVIDENCE.detail());
    }

    private void becomeUnknown() {
        assertThatThrownBy(() -> execute(CHARGE, attempt -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void an_unknown_outcome_is_settled_as_happened_and_replays_from_then_on() {
        becomeUnknown();
        assertThat(semel.settle(CHARGE, ID, happened("charged by evidence"), EVIDENCE.source()))
                .isEqualTo(new Reconciliation.Accepted());
        assertThat(execute(CHARGE)).isEqualTo(new Execution.Replayed<>("charged by evidence"));
        assertThat(onRecord().evidence()).isEqualTo(EVIDENCE);
        assertThat(events)
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                Event.Reconciled.class,
                                done -> assertThat(done.to()).isEqualTo(State.COMPLETED)));
    }

    @Test
    void an_unknown_outcome_is_settled_as_not_happened_and_executes_once_more() {
        becomeUnknown();
        assertThat(semel.settle(CHARGE, ID, new Verdict.DidNotHappen(EVIDENCE.detail()), EVIDENCE.source()))
                .isEqualTo(new Reconciliation.Accepted());
        assertThat(execute(CHARGE)).isInstanceOf(Execution.Ran.class);
        assertThat(semel.settle(CHARGE, ID, new Verdict.DidNotHappen(EVIDENCE.detail()), EVIDENCE.source()))
                .isInstanceOf(Reconciliation.NotUnknown.class);
        assertThat(execute(CHARGE)).isInstanceOf(Execution.Replayed.class);
    }

    @Test
    void only_unknown_outcomes_can_be_settled_from_outside() {
        assertThat(semel.settle(CHARGE, ID, happened("x"), EVIDENCE.source()))
                .isEqualTo(new Reconciliation.NoSuchRecord());
        semel.begin(intent(CHARGE));
        assertThat(semel.settle(CHARGE, ID, happened("x"), EVIDENCE.source()))
                .isInstanceOf(Reconciliation.NotUnknown.class);
        assertThat(onRecord().state()).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void evidence_needs_a_source() {
        assertThatThrownBy(() -> new Evidence(" ", "hearsay")).hasMessageContaining("source");
        assertThatThrownBy(() -> new Evidence("a", "x".repeat(1001))).hasMessageContaining("1000");
    }

    @Test
    void a_record_can_be_read_with_its_response_and_is_not_executed() {
        assertThat(semel.find(ID)).isEmpty();
        execute(CHARGE);
        assertThat(semel.find(ID))
                .hasValueSatisfying(record -> assertThat(record.response())
                        .isEqualTo(Response.of("charged 1".getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void prune_removes_everything_that_is_due_in_as_many_batches_as_it_takes() {
        for (int i = 0; i < 1200; i++) {
            memoryRecord("k" + i);
        }
        time.advance(Duration.ofDays(2));
        assertThat(semel.prune(Expiry.DELETE)).isEqualTo(1200);
        assertThat(events).filteredOn(Event.Pruned.class::isInstance).hasSize(3);
    }

    private void memoryRecord(String key) {
        semel.execute(
                dev.semel.Intent.of(
                        CHARGE,
                        ID.scope(),
                        new dev.semel.Key(key),
                        intent(CHARGE).fingerprint()),
                dev.semel.Codec.text(),
                attempt -> "done");
    }

    @Test
    void prunes_on_schedule_and_goes_on_after_a_failure() {
        try (SemelEngine pruning = SemelEngine.on(store)
                .timer(time)
                .pruneEvery(Duration.ofHours(1), Expiry.DELETE)
                .build()) {
            memoryRecord("k1");
            store.failNext(Verb.PRUNE, Fault.REFUSED);
            time.advance(Duration.ofMinutes(61));
            memoryRecord("k2");
            time.advance(Duration.ofHours(24));
            assertThat(memory.find(Identity.of("acme", "k1"))
                            .toCompletableFuture()
                            .join())
                    .isEmpty();
            assertThat(memory.find(Identity.of("acme", "k2"))
                            .toCompletableFuture()
                            .join())
                    .isPresent();
            assertThat(pruning).isNotNull();
        }
        assertThat(time.scheduled()).as("a closed engine prunes no more").isEmpty();
        assertThatThrownBy(() -> SemelEngine.on(store).pruneEvery(Duration.ZERO, Expiry.DELETE))
                .hasMessageContaining("positive");
    }

    @Test
    void goes_on_pruning_on_schedule_after_an_error() {
        int[] prunings = new int[1];
        Store failing = (Store) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prune") && ++prunings[0] == 1) {
                        throw new LinkageError("injected");
                    }
                    return method.invoke(memory, arguments);
                });
        try (SemelEngine pruning = SemelEngine.on(failing)
                .timer(time)
                .pruneEvery(Duration.ofHours(1), Expiry.DELETE)
                .build()) {
            time.advance(Duration.ofHours(3));
            assertThat(pruning).isNotNull();
        }
        assertThat(prunings[0]).isEqualTo(3);
    }
}
