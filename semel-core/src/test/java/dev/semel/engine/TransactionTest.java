package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.RecordedFailureException;
import dev.semel.Semel.CheckedWork;
import dev.semel.Semel.TransactionWork;
import dev.semel.State;
import dev.semel.Step;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.TransactionClaims;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("transactions of the engine")
class TransactionTest extends EngineFixture {

    private static final List<String> BEGUN = List.of("getConnection", "autoCommit false", "claim");

    private final FakeDatabase database = new FakeDatabase(memory);
    private final SemelEngine transactional =
            SemelEngine.on(database).timer(time).listener(events::add).build();

    private <E extends Exception> Execution<String> inTransaction(TransactionWork<String, E> work) throws E {
        return transactional.executeInTransaction(database.dataSource(), intent(CHARGE), Codec.text(), work);
    }

    private Execution<String> inTransaction() {
        return inTransaction((connection, attempt) -> "ordered " + ++executions);
    }

    private void assertCalls(String... afterClaim) {
        List<String> all = new java.util.ArrayList<>(BEGUN);
        all.addAll(List.of(afterClaim));
        assertThat(database.calls).isEqualTo(all);
    }

    @Test
    void work_and_record_commit_together() {
        assertThat(inTransaction().orThrow()).isEqualTo("ordered 1");
        assertCalls("settle Completed", "commit", "autoCommit true", "close");
        database.calls.clear();
        assertThat(inTransaction()).isEqualTo(new Execution.Replayed<>("ordered 1"));
        assertCalls("commit", "autoCommit true", "close");
    }

    @Test
    void a_failure_of_the_work_rolls_back_and_reaches_the_caller_as_it_is() {
        SQLException failure = new SQLException("duplicate key");
        assertThatThrownBy(() -> inTransaction((connection, attempt) -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertCalls("undoClaim", "rollback", "autoCommit true", "close");
    }

    @Test
    void nothing_that_breaks_afterwards_masks_the_failure_of_the_work() {
        database.failing.addAll(List.of("undoClaim", "rollback", "abort", "close"));
        SQLException failure = new SQLException("connection lost");
        assertThatThrownBy(() -> inTransaction((connection, attempt) -> {
                    throw failure;
                }))
                .isSameAs(failure)
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("injected: undoClaim", "injected: rollback"));
    }

    @Test
    void a_connection_whose_transaction_did_not_end_is_aborted_and_never_set_to_commit() {
        database.failing.add("rollback");
        assertThatThrownBy(() -> inTransaction((connection, attempt) -> {
                    throw new IllegalStateException("sold out");
                }))
                .hasMessage("sold out");
        assertCalls("undoClaim", "rollback", "abort", "close");
    }

    @Test
    void a_commit_that_was_not_confirmed_is_a_fault_that_says_what_to_do() {
        database.failing.add("commit");
        assertThatThrownBy(this::inTransaction)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("repeat the request with the same key");
        assertCalls("settle Completed", "commit", "rollback", "autoCommit true", "close");
        assertThat(events)
                .filteredOn(Event.StoreFault.class::isInstance)
                .singleElement()
                .satisfies(
                        event -> assertThat(((Event.StoreFault) event).verb()).isEqualTo("commit"));
    }

    @Test
    void what_breaks_after_the_commit_changes_nothing() {
        database.failing.addAll(List.of("autoCommit true", "close"));
        assertThat(inTransaction().orThrow()).isEqualTo("ordered 1");
    }

    @Test
    void no_connection_means_that_nothing_is_executed() {
        database.failing.add("getConnection");
        assertThatThrownBy(this::inTransaction).isInstanceOf(StoreException.class);
        assertThat(eventNames()).containsExactly("StoreFault");
        database.failing.clear();
        database.failing.add("autoCommit false");
        database.calls.clear();
        assertThatThrownBy(this::inTransaction).isInstanceOf(StoreException.class);
        assertThat(database.calls).containsExactly("getConnection", "autoCommit false", "close");
        assertThat(executions).isZero();
    }

    @Test
    void a_claim_that_fails_rolls_back() {
        database.failing.add("claim");
        assertThatThrownBy(this::inTransaction).isInstanceOf(StoreException.class);
        assertCalls("rollback", "autoCommit true", "close");
        assertThat(executions).isZero();
    }

    @Test
    void a_completion_that_cannot_be_written_rolls_back() {
        database.failing.add("settle Completed");
        assertThatThrownBy(this::inTransaction).isInstanceOf(StoreException.class);
        assertCalls("settle Completed", "rollback", "autoCommit true", "close");
    }

    @Test
    void an_outcome_that_the_work_is_not_sure_of_is_kept_and_its_writes_are_not() {
        assertThatThrownBy(() -> inTransaction((connection, attempt) -> {
                    throw new OutcomeUnknownException("the bank timed out");
                }))
                .hasMessage("the bank timed out");
        assertCalls("undoWork", "settle Unknown", "commit", "autoCommit true", "close");
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void an_outcome_that_the_work_is_not_sure_of_is_kept_however_it_is_wrapped() {
        assertThatThrownBy(() -> inTransaction((connection, attempt) -> {
                    throw new IllegalStateException(new OutcomeUnknownException("the bank timed out"));
                }))
                .isInstanceOf(IllegalStateException.class);
        assertCalls("undoWork", "settle Unknown", "commit", "autoCommit true", "close");
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void an_outcome_declared_unknown_is_kept_whatever_the_work_throws() {
        assertThatThrownBy(() -> inTransaction((connection, attempt) -> {
                    attempt.outcomeUnknown("timeout");
                    throw new IllegalStateException("and then this");
                }))
                .hasMessage("and then this");
        assertCalls("undoWork", "settle Unknown", "commit", "autoCommit true", "close");
    }

    @Test
    void half_of_the_work_is_never_committed_when_it_cannot_be_undone() {
        database.failing.add("undoWork");
        assertThatThrownBy(() -> inTransaction((connection, attempt) -> {
                    throw new OutcomeUnknownException("the bank timed out");
                }))
                .hasMessage("the bank timed out");
        assertCalls("undoWork", "rollback", "autoCommit true", "close");
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void work_that_declares_it_did_nothing_commits_nothing() {
        Execution<String> execution = inTransaction((connection, attempt) -> {
            attempt.notExecuted("limits");
            return "limited";
        });
        assertThat(execution).isEqualTo(new Execution.Ran<>("limited", new Outcome.NotExecuted("limits")));
        assertCalls("undoClaim", "commit", "autoCommit true", "close");
    }

    @Test
    void the_replay_of_a_recorded_failure_commits_and_throws_it() {
        assertThatThrownBy(() -> transactional.execute(intent(CHARGE), Codec.text(), attempt -> {
                    throw new IllegalStateException("sold out");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(this::inTransaction).isInstanceOf(RecordedFailureException.class);
        assertCalls("commit", "autoCommit true", "close");
    }

    @Test
    void an_expired_lease_that_the_claim_noticed_is_committed() {
        memory.claim(new ClaimRequest(ID, "charge", intent(CHARGE).fingerprint(), LEASE, false, "gone"));
        time.advance(LEASE.multipliedBy(2));
        assertThat(inTransaction()).isInstanceOf(Execution.Refused.class);
        assertCalls("commit", "autoCommit true", "close");
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    private TransactionClaims within() throws SQLException {
        Connection connection = database.connection();
        connection.setAutoCommit(false);
        database.calls.clear();
        return transactional.within(connection);
    }

    private <E extends Exception> Execution<String> executeWithin(CheckedWork<String, E> work) throws E, SQLException {
        return within().executeChecked(intent(CHARGE), Codec.text(), work);
    }

    @Test
    void within_the_callers_transaction_nothing_is_committed_or_rolled_back() throws SQLException {
        assertThat(executeWithin(attempt -> "ordered").orThrow()).isEqualTo("ordered");
        assertThat(database.calls).containsExactly("claim", "settle Completed");
        assertThatThrownBy(() -> transactional.within(new FakeDatabase(memory).connection()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("autocommit");
        assertThatThrownBy(() -> semel.within(database.connection())).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void within_the_callers_transaction_a_failure_is_undone_and_thrown() {
        assertThatThrownBy(() -> executeWithin(attempt -> {
                    throw new java.io.IOException("no");
                }))
                .isInstanceOf(java.io.IOException.class);
        assertThat(database.calls).containsExactly("claim", "undoClaim");
    }

    @Test
    void a_caller_that_might_commit_half_of_the_work_gets_an_order_to_roll_back() {
        database.failing.add("undoClaim");
        IllegalStateException failure = new IllegalStateException("sold out");
        assertThatThrownBy(() -> executeWithin(attempt -> {
                    throw failure;
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("roll the transaction back")
                .hasCause(failure);
    }

    @Test
    void a_transaction_has_no_steps_and_no_keys_with_an_age() throws SQLException {
        RunningAttempt attempt = ((Claim.Granted) within().begin(intent(CHARGE))).attempt();
        assertThat(attempt.downstreamKey("charge")).hasSize(64);
        assertThatThrownBy(() -> attempt.downstreamKey("charge", Duration.ofHours(24)))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> attempt.step(Step.named("charge"), Codec.text(), key -> "x"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(attempt.stillOwner()).isTrue();
        attempt.settle(new Outcome.NotExecuted("enough"));
        assertThat(attempt.stillOwner()).isFalse();
        assertThatThrownBy(() -> attempt.settle(new Outcome.NotExecuted("twice")))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void recorded_steps_are_not_done_again_in_a_transaction() {
        Operation again = CHARGE.reexecutableAfterCrash();
        RunningAttempt vanished = ((Claim.Granted) semel.begin(intent(again))).attempt();
        vanished.step(Step.named("charge"), Codec.text(), key -> "charged");
        store.down();
        time.advance(LEASE.multipliedBy(2));
        assertThatThrownBy(() -> within().execute(intent(again), Codec.text(), attempt -> "all of it"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("recorded steps");
        assertThat(database.calls).containsExactly("claim", "undoClaim");
    }
}
