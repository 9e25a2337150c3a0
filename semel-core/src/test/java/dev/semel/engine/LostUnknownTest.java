package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.Semel.TransactionWork;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.adapter.TransactionClaims;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Verdict;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("an unknown outcome whose transaction is rolled back")
class LostUnknownTest extends EngineFixture {

    private static final Duration A_WHILE = Duration.ofMinutes(1);

    private final FakeDatabase database = new FakeDatabase(memory, store);
    private final SemelEngine transactional =
            SemelEngine.on(database).timer(time).listener(events::add).build();
    private final LoggedErrors errors = new LoggedErrors();

    @AfterEach
    void close() {
        errors.close();
    }

    private Execution<String> unsure(TransactionWork<String, RuntimeException> work) {
        return unsure(CHARGE, work);
    }

    private Execution<String> unsure(Operation operation, TransactionWork<String, RuntimeException> work) {
        return transactional.executeInTransaction(
                database.dataSource(), intent(operation), Codec.text(), (connection, attempt) -> {
                    executions++;
                    return work.run(connection, attempt);
                });
    }

    private Execution<String> timesOut() {
        return unsure((connection, attempt) -> {
            throw new OutcomeUnknownException("the bank timed out");
        });
    }

    private Execution<String> retry(SemelEngine by, Intent intent) {
        return by.executeInTransaction(
                database.dataSource(), intent, Codec.text(), (connection, attempt) -> "charged " + ++executions);
    }

    private void assertRefused(Execution<String> execution, Class<? extends Refusal> why) {
        assertThat(execution)
                .isInstanceOfSatisfying(
                        Execution.Refused.class,
                        refused -> assertThat(refused.why()).isInstanceOf(why));
    }

    /** Executed once, on record as unknown, and refused to every duplicate. */
    private void assertRecorded() {
        database.failing.clear();
        database.answerLost.clear();
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
        assertThat(database.askedWhileTaken).as("a pool of one is enough").isFalse();
        assertRefused(retry(transactional, intent(CHARGE)), Refusal.OutcomeUnknown.class);
        assertRefused(execute(CHARGE), Refusal.OutcomeUnknown.class);
        assertThat(executions).as("I1: executions in the ledger").isEqualTo(1);
        assertThat(errors.messages()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit", "undoWork", "settle Unknown"})
    void is_recorded_outside_of_it_and_reaches_the_caller_as_it_is(String lost) {
        database.failing.add(lost);
        assertThatThrownBy(this::timesOut)
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessage("the bank timed out")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .singleElement()
                        .satisfies(why -> assertThat(why)
                                .isInstanceOf(StoreException.class)
                                .hasMessageNotContaining("repeat the request")));
        assertThat(onRecord().reason()).isEqualTo("OutcomeUnknownException");
        assertRecorded();
    }

    @ParameterizedTest
    @ValueSource(strings = {"autoCommit true", "abort", "close"})
    void is_recorded_however_badly_the_connection_ends(String too) {
        database.failing.addAll(Set.of("commit", "rollback", too));
        assertThatThrownBy(this::timesOut).isInstanceOf(OutcomeUnknownException.class);
        assertRecorded();
    }

    @Test
    void is_recognized_where_the_commit_was_applied_and_its_answer_lost() {
        database.answerLost.add("commit");
        assertThatThrownBy(this::timesOut).isInstanceOf(OutcomeUnknownException.class);
        assertThat(memory.history(ID)).extracting(AuditEntry::change).containsExactly(Change.GRANTED, Change.SETTLED);
        assertRecorded();
    }

    @Test
    void is_recorded_when_the_work_has_declared_it_and_returned() {
        database.failing.add("commit");
        assertThat(unsure((connection, attempt) -> {
                    attempt.outcomeUnknown("timeout");
                    return "perhaps";
                }))
                .isEqualTo(new Execution.Ran<>("perhaps", new Outcome.Unknown("timeout")));
        assertThat(onRecord().reason()).isEqualTo("timeout");
        assertRecorded();
    }

    @Test
    void is_recorded_when_the_work_has_declared_it_and_thrown_something_else() {
        database.failing.add("settle Unknown");
        assertThatThrownBy(() -> unsure((connection, attempt) -> {
                    attempt.outcomeUnknown("timeout");
                    throw new IllegalStateException("and then this");
                }))
                .hasMessage("and then this");
        assertRecorded();
    }

    @Test
    void is_recorded_in_the_background_while_the_store_is_down_and_no_caller_may_repeat_it() {
        database.failing.add("commit");
        store.down();
        assertThatThrownBy(this::timesOut)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is unknown, and this is not on record yet")
                .hasMessageNotContaining("repeat the request")
                .hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(errors.messages()).singleElement().asString().contains("charge", "is not recorded yet");
        time.advance(A_WHILE);
        assertThat(memory.find(ID).toCompletableFuture().join()).isEmpty();
        store.up();
        time.advance(A_WHILE);
        errors.close();
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
        assertRefused(execute(CHARGE), Refusal.OutcomeUnknown.class);
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void is_recorded_by_the_claim_whose_answer_was_lost() {
        database.failing.add("commit");
        store.failNext(Verb.CLAIM, Fault.ANSWER_LOST);
        assertThatThrownBy(this::timesOut).isInstanceOf(OutcomeUnknownException.class);
        assertRecorded();
    }

    @Test
    @DisplayName(
            "I5: is not executed again though its operation is re-executable and the process died while recording it")
    void never_becomes_a_lease_that_may_be_taken_over() {
        Operation again = CHARGE.reexecutableAfterCrash();
        database.failing.add("commit");
        for (int i = 0; i < 3; i++) {
            store.failNext(Verb.CLAIM, Fault.ANSWER_LOST);
        }
        assertThatThrownBy(() -> unsure(again, (connection, attempt) -> {
                    throw new OutcomeUnknownException("the bank timed out");
                }))
                .isInstanceOf(StoreException.class);
        transactional.close();
        assertThat(onRecord().state()).isEqualTo(State.IN_PROGRESS);
        time.advance(LEASE.multipliedBy(2));
        assertRefused(execute(again), Refusal.OutcomeUnknown.class);
        assertThat(executions).isEqualTo(1);
    }

    /** What this engine knows, it need not ask: the duplicate that waited behind the transaction comes first. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void is_recorded_by_the_duplicate_that_is_granted_its_key_first(boolean inTransaction) {
        database.failing.add("commit");
        store.down();
        assertThatThrownBy(this::timesOut).isInstanceOf(StoreException.class);
        store.up();
        database.failing.clear();
        Execution<String> duplicate = inTransaction
                ? retry(transactional, intent(CHARGE))
                : transactional.execute(intent(CHARGE), Codec.text(), attempt -> "charged " + ++executions);
        assertRefused(duplicate, Refusal.OutcomeUnknown.class);
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
        time.advance(A_WHILE);
        assertThat(executions).isEqualTo(1);
        assertThat(errors.messages())
                .as("only that it was not recorded at once")
                .hasSize(1);
    }

    @Test
    void keeps_its_key_from_a_request_that_means_something_else() {
        database.failing.add("commit");
        store.down();
        assertThatThrownBy(this::timesOut).isInstanceOf(StoreException.class);
        store.up();
        database.failing.clear();
        assertRefused(retry(transactional, intent(CHARGE, "200 EUR")), Refusal.Mismatch.class);
        time.advance(A_WHILE);
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
        assertRefused(retry(transactional, intent(CHARGE)), Refusal.OutcomeUnknown.class);
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void is_distinguished_from_a_store_that_did_nothing_also_when_the_work_has_only_declared_it() {
        database.failing.add("commit");
        store.down();
        assertThatThrownBy(() -> unsure((connection, attempt) -> {
                    attempt.outcomeUnknown("timeout");
                    return "perhaps";
                }))
                .isInstanceOf(StoreException.class)
                .hasCauseInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void is_an_error_in_the_log_when_another_process_has_executed_it_meanwhile() {
        database.failing.add("commit");
        store.down();
        assertThatThrownBy(this::timesOut).isInstanceOf(StoreException.class);
        store.up();
        assertThat(execute(CHARGE)).isInstanceOf(Execution.Ran.class);
        time.advance(A_WHILE);
        assertThat(errors.messages()).last().asString().contains("may have been executed twice");
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void is_an_error_in_the_log_when_another_process_is_not_sure_either() {
        database.failing.add("commit");
        store.down();
        assertThatThrownBy(this::timesOut).isInstanceOf(StoreException.class);
        store.up();
        assertThatThrownBy(() -> execute(CHARGE, attempt -> {
                    throw new OutcomeUnknownException("the bank timed out again");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        time.advance(A_WHILE);
        assertThat(errors.messages()).last().asString().contains("may have been executed twice");
    }

    @Test
    void does_not_wait_behind_another_process_that_executes_it_and_says_so() {
        database.failing.add("commit");
        assertThatThrownBy(() -> unsure((connection, attempt) -> {
                    semel.begin(intent(CHARGE));
                    throw new OutcomeUnknownException("the bank timed out");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not on record yet");
        assertThat(time.nanos()).as("what the caller waits").isLessThan(LEASE.toNanos());
        assertThat(errors.messages()).singleElement().asString().contains("is not recorded yet");
    }

    @Test
    void is_a_fault_that_says_so_when_another_process_has_completed_it() {
        database.failing.add("commit");
        assertThatThrownBy(() -> unsure((connection, attempt) -> {
                    execute(CHARGE);
                    throw new OutcomeUnknownException("the bank timed out");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is unknown, and this is not on record: the key was claimed again before");
        assertThat(errors.messages()).singleElement().asString().contains("may have been executed twice");
    }

    @Test
    void is_an_error_in_the_log_when_the_engine_is_closed_before_it_is_recorded() {
        database.failing.add("commit");
        store.down();
        assertThatThrownBy(this::timesOut).isInstanceOf(StoreException.class);
        transactional.close();
        assertThat(errors.messages()).last().asString().contains("before the engine was closed", "charge");
        time.advance(A_WHILE);
        assertThat(errors.messages()).hasSize(2);
    }

    @Test
    void is_given_up_after_as_long_as_any_settlement_and_logged() {
        database.failing.add("commit");
        store.down();
        assertThatThrownBy(this::timesOut).isInstanceOf(StoreException.class);
        time.advance(Duration.ofHours(1));
        assertThat(errors.messages()).hasSize(2).last().asString().contains("could not be recorded");
        assertThat(time.scheduled()).isEmpty();
    }

    private TransactionClaims within() throws Exception {
        Connection connection = database.connection();
        connection.setAutoCommit(false);
        return transactional.within(connection);
    }

    private void timesOut(TransactionClaims within) {
        assertThatThrownBy(() -> within.execute(intent(CHARGE), Codec.text(), attempt -> {
                    executions++;
                    throw new OutcomeUnknownException("the bank timed out");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void is_recorded_by_a_caller_who_has_rolled_back_a_transaction_of_its_own() throws Exception {
        TransactionClaims within = within();
        timesOut(within);
        database.connection().rollback();
        assertThat(within.settleUnknownAfterRollback())
                .isEqualTo(Map.of(ID, new Settlement.Settled(new Outcome.Unknown("OutcomeUnknownException"))));
        assertThat(within.settleUnknownAfterRollback()).isEmpty();
        assertThat(within.recordUnknownAfterRollback()).isTrue();
        assertRecorded();
    }

    @Test
    void is_no_more_than_what_was_unknown() throws Exception {
        TransactionClaims within = within();
        within.execute(intent(CHARGE), Codec.text(), attempt -> "charged");
        database.connection().rollback();
        assertThat(within.recordUnknownAfterRollback()).isTrue();
        assertThat(memory.find(ID).toCompletableFuture().join()).isEmpty();
    }

    @Test
    void is_not_executed_by_a_duplicate_while_its_caller_rolls_back() throws Exception {
        TransactionClaims within = within();
        timesOut(within);
        database.connection().rollback();
        assertRefused(retry(transactional, intent(CHARGE)), Refusal.OutcomeUnknown.class);
        assertThat(within.settleUnknownAfterRollback().values()).singleElement().isInstanceOf(Settlement.Settled.class);
        assertRecorded();
    }

    @Test
    void does_not_outlive_a_verdict_on_what_was_committed() throws Exception {
        timesOut(within());
        database.connection().commit();
        semel.settle(CHARGE, ID, new Verdict.DidNotHappen("the bank has no such payment"), "person:alice");
        assertThat(retry(transactional, intent(CHARGE))).isInstanceOf(Execution.Ran.class);
        assertThat(executions).isEqualTo(2);
    }

    @Test
    void is_not_what_a_completed_execution_becomes_whose_commit_was_not_confirmed() {
        for (Set<String> lost : List.of(database.failing, database.answerLost)) {
            lost.add("commit");
            assertThatThrownBy(() -> retry(transactional, intent(CHARGE)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("repeat the request with the same key");
            lost.clear();
        }
        assertThat(retry(transactional, intent(CHARGE))).isEqualTo(new Execution.Replayed<>("charged 2"));
    }
}
