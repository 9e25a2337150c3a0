package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Only what is known to be completed and committed may be answered from memory: everything else can still change. */
@DisplayName("near-cache: what it keeps")
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NearCacheFillTest extends NearFixture {

    private static final Evidence EVIDENCE = new Evidence("webhook", "charge ch_1");

    private final FakeDatabase database = new FakeDatabase(memory);
    private final SemelEngine transactional =
            SemelEngine.on(database).timer(time).nearCache(cache).build();

    private void assertRefused(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Refused.class);
    }

    private void assertNothingKept() {
        assertThat(cache.entries).isEmpty();
    }

    private void assertKept() {
        assertThat(cache.entries).containsOnlyKeys(ID);
        assertThat(cache.entries.get(ID).response()).isEqualTo(onRecord().response());
        assertThat(cache.entries.get(ID).fingerprint()).isEqualTo(onRecord().fingerprint());
    }

    @Test
    void nothing_that_is_in_progress_or_means_something_else() {
        near.begin(intent(CHARGE));
        assertRefused(near.begin(intent(CHARGE)));
        assertRefused(near.begin(intent(CHARGE, "200 EUR")));
        assertNothingKept();
    }

    @Test
    void nothing_that_failed_retryably_or_is_unknown() {
        assertThatThrownBy(() -> executeNear(CHARGE, attempt -> {
                    throw new NotExecutedException("limits");
                }))
                .isInstanceOf(NotExecutedException.class);
        assertThatThrownBy(() -> executeNear(CHARGE, attempt -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        assertRefused(near.begin(intent(CHARGE)));
        assertNothingKept();
    }

    @Test
    void nothing_that_is_completed_but_was_asked_for_with_another_meaning() {
        execute(CHARGE);
        assertRefused(near.begin(intent(CHARGE, "200 EUR")));
        assertNothingKept();
    }

    private CompletableFuture<Settlement> complete() {
        RunningAttempt attempt = ((Claim.Granted) near.begin(intent(CHARGE))).attempt();
        return attempt.settle(new Outcome.Completed(Response.of(new byte[] {1})))
                .toCompletableFuture();
    }

    @Test
    void nothing_that_the_store_has_not_confirmed_until_it_has() {
        store.failNext(Verb.SETTLE, Fault.REFUSED);
        store.failNext(Verb.SETTLE, Fault.REFUSED);
        store.failNext(Verb.SETTLE, Fault.REFUSED);
        store.failNext(Verb.SETTLE, Fault.REFUSED);
        CompletableFuture<Settlement> settling = complete();
        while (!settling.isDone()) {
            time.advance(Duration.ofMillis(1));
        }
        assertThat(settling).isCompletedWithValueMatching(Settlement.Unconfirmed.class::isInstance);
        assertNothingKept();
        time.advance(Duration.ofSeconds(5));
        assertKept();
    }

    @Test
    void a_settlement_whose_answer_was_lost_for_what_is_left_of_its_retention() {
        store.failNext(Verb.SETTLE, Fault.ANSWER_LOST);
        CompletableFuture<Settlement> settling = complete();
        assertNothingKept();
        while (!settling.isDone()) {
            time.advance(Duration.ofMillis(1));
        }
        assertThat(settling).isCompletedWithValueMatching(Settlement.Settled.class::isInstance);
        assertKept();
        assertThat(cache.entries.get(ID).untilNanos())
                .as("counted from the first try, at zero")
                .isEqualTo(CHARGE.retention().minusMillis(1).toNanos());
    }

    @Test
    void nothing_from_an_attempt_that_lost_its_lease() {
        Execution<String> zombie = executeNear(CHARGE.reexecutableAfterCrash(), attempt -> {
            store.down();
            time.advance(LEASE.multipliedBy(2));
            store.up();
            memory.claim(new ClaimRequest(ID, "charge", intent(CHARGE).fingerprint(), LEASE, true, "another holder"));
            return "zombie";
        });
        assertThat(zombie).isInstanceOf(Execution.LeaseLost.class);
        assertNothingKept();
    }

    @Test
    void the_late_answer_of_an_attempt_that_was_given_up() {
        RunningAttempt attempt = ((Claim.Granted) near.begin(intent(CHARGE))).attempt();
        attempt.settle(new Outcome.Unknown("timeout"));
        assertNothingKept();
        attempt.settle(new Outcome.Completed(Response.of(new byte[] {1})));
        assertKept();
    }

    @Test
    void a_verdict_that_it_happened_and_none_that_it_did_not() {
        becomeUnknownNear();
        Verdict.Happened happened =
                new Verdict.Happened(Response.of("found".getBytes(StandardCharsets.UTF_8)), "statement 7");
        assertThat(near.settle(CHARGE, ID, happened, "bank")).isInstanceOf(Reconciliation.Accepted.class);
        assertKept();
        assertThat(roundTripsOf(() -> assertThat(executeNear()).isEqualTo(new Execution.Replayed<>("found"))))
                .isZero();

        time.advance(CHARGE.retention());
        cache.clear();
        becomeUnknownNear();
        assertThat(near.settle(CHARGE, ID, new Verdict.DidNotHappen("statement 7"), "bank"))
                .isInstanceOf(Reconciliation.Accepted.class);
        assertNothingKept();
    }

    private void becomeUnknownNear() {
        assertThatThrownBy(() -> executeNear(CHARGE, attempt -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    private Execution<String> inTransaction() {
        return transactional.executeInTransaction(
                database.dataSource(),
                intent(CHARGE),
                Codec.text(),
                (connection, attempt) -> "ordered " + ++executions);
    }

    @Test
    void a_transaction_once_its_commit_is_confirmed_and_its_replay_takes_no_connection() {
        assertThat(inTransaction()).isInstanceOf(Execution.Ran.class);
        assertKept();
        database.calls.clear();
        assertThat(inTransaction()).isEqualTo(new Execution.Replayed<>("ordered 1"));
        assertThat(database.calls).isEmpty();
    }

    @Test
    void what_a_transaction_finds_completed_once_its_commit_is_confirmed() {
        execute(CHARGE);
        database.failing.add("commit");
        assertThatThrownBy(this::inTransaction).isInstanceOf(StoreException.class);
        assertNothingKept();
        database.failing.clear();
        inTransaction();
        assertKept();
    }

    @Test
    void nothing_of_a_transaction_whose_commit_is_not_confirmed() {
        database.failing.add("commit");
        assertThatThrownBy(this::inTransaction).isInstanceOf(StoreException.class);
        assertNothingKept();
    }

    @Test
    void nothing_from_within_a_transaction_of_the_callers_which_may_still_roll_back() throws SQLException {
        Connection connection = database.connection();
        connection.setAutoCommit(false);
        transactional.within(connection).execute(intent(CHARGE), Codec.text(), attempt -> "ordered");
        assertThat(transactional.within(connection).begin(intent(CHARGE)))
                .as("uncommitted, but seen by its own transaction")
                .isInstanceOf(Claim.Recorded.class);
        assertNothingKept();
    }

    @Test
    void what_is_committed_is_answered_within_transactions_too() throws SQLException {
        inTransaction();
        Connection connection = database.connection();
        connection.setAutoCommit(false);
        database.calls.clear();
        assertThat(transactional.within(connection).execute(intent(CHARGE), Codec.text(), attempt -> "again"))
                .isEqualTo(new Execution.Replayed<>("ordered 1"));
        assertThat(database.calls).isEmpty();
    }
}
