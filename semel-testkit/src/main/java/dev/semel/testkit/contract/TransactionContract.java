package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static dev.semel.testkit.contract.TransactionVerbs.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.testkit.ManualTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Claim, work and settlement in one transaction: all of it, or nothing. */
public interface TransactionContract extends TransactionVerbs {

    @Test
    @DisplayName("claim, completion and the application's own row become durable together")
    default void transaction_commit() throws SQLException {
        ClaimRequest request = request("k");
        try (Connection connection = begin()) {
            StoreTransaction transaction = within(connection);
            ClaimAnswer answer = transaction.claim(request);
            assertThat(answer).asInstanceOf(type(ClaimAnswer.Granted.class)).satisfies(granted -> {
                assertThat(granted.attempts()).isEqualTo(1);
                assertThat(granted.record().state()).isEqualTo(State.IN_PROGRESS);
                assertThat(granted.record().holder()).isEqualTo(request.holder());
            });
            Lease lease = ((ClaimAnswer.Granted) answer).lease();
            write(connection, "charged");
            assertThat(transaction.settle(lease, completed("done"), RETENTION))
                    .isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(find("k")).as("before the commit").isEmpty();
            assertThat(written()).as("before the commit").isEmpty();
            connection.commit();
            assertThat(written()).containsExactly("charged");
            StoredRecord record = record("k");
            assertThat(record.lease()).isEqualTo(lease);
            assertThat(record.response()).isEqualTo(response("done"));
            assertThat(record.retentionRemaining()).isPositive().isLessThanOrEqualTo(RETENTION);
            assertThat(record.fingerprint()).isEqualTo(FINGERPRINT);
            assertThat(history("k")).extracting(AuditEntry::change).containsExactly(Change.GRANTED, Change.SETTLED);
            assertThat(history("k")).extracting(AuditEntry::who).containsOnly(request.holder());
            Replay.of(history("k")).assertDescribes(record);
        }
    }

    @Test
    @DisplayName("a rollback removes the claim, its history and the application's row: the key is as good as new")
    default void transaction_rollback() throws SQLException {
        for (boolean settled : new boolean[] {false, true}) {
            try (Connection connection = begin()) {
                StoreTransaction transaction = within(connection);
                Lease lease = granted(transaction, request("k"));
                write(connection, "charged");
                if (settled) {
                    transaction.settle(lease, completed("done"), RETENTION);
                }
                connection.rollback();
            }
            assertThat(find("k")).isEmpty();
            assertThat(history("k")).isEmpty();
            assertThat(written()).isEmpty();
        }
        assertThat(claim("k"))
                .asInstanceOf(type(ClaimAnswer.Granted.class))
                .satisfies(granted -> assertThat(granted.attempts()).isEqualTo(1));
    }

    @Test
    @DisplayName("a claim that is committed without a settlement is in progress, like any other")
    default void transaction_without_settlement() throws SQLException {
        Lease lease;
        try (Connection connection = begin()) {
            lease = granted(within(connection), request("k"));
            connection.commit();
        }
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Busy.class);
        assertThat(settle(lease, completed("done"))).isInstanceOf(SettleAnswer.Settled.class);
    }

    @Test
    @DisplayName("the other two outcomes are recorded as well")
    default void transaction_other_outcomes() throws SQLException {
        try (Connection connection = begin()) {
            StoreTransaction transaction = within(connection);
            Lease lease = granted(transaction, request("unknown"));
            transaction.settle(lease, unknown(), RETENTION);
            connection.commit();
        }
        assertThat(record("unknown").state()).isEqualTo(State.UNKNOWN);
        assertThat(record("unknown").reason()).isEqualTo("timeout");
        assertThat(due(10)).extracting(StoredRecord::identity).containsExactly(id("unknown"));
        try (Connection connection = begin()) {
            StoreTransaction transaction = within(connection);
            Lease lease = granted(transaction, request("failed"));
            transaction.settle(lease, notExecuted(), RETENTION);
            connection.commit();
        }
        assertThat(record("failed").state()).isEqualTo(State.FAILED_RETRYABLE);
        assertThat(record("failed").reason()).isEqualTo("declined_before_dispatch");
    }

    @Test
    @DisplayName(
            "what a transaction has committed is replayed to other callers, and what others have completed to transactions")
    default void transaction_replayed() throws SQLException {
        try (Connection connection = begin()) {
            StoreTransaction transaction = within(connection);
            Lease lease = granted(transaction, request("by-transaction"));
            transaction.settle(lease, completed("done"), RETENTION);
            connection.commit();
        }
        settle(granted("without-transaction"), completed("done"));
        for (String key : List.of("by-transaction", "without-transaction")) {
            assertRecorded(claim(key));
            assertRecorded(claimAlone(request(key)));
        }
    }

    private static void assertRecorded(ClaimAnswer answer) {
        assertThat(answer)
                .asInstanceOf(type(ClaimAnswer.Recorded.class))
                .satisfies(recorded -> assertThat(recorded.record().response()).isEqualTo(response("done")));
    }

    @Test
    @DisplayName("I2: the fences that one store gives rise over claims that were rolled back")
    default void transaction_fences() throws SQLException {
        long last = granted("first").fence();
        for (int i = 0; i < 5; i++) {
            try (Connection connection = begin()) {
                Lease lease = granted(within(connection), request("k"));
                assertThat(lease.fence()).isGreaterThan(last);
                last = lease.fence();
                if (i % 2 == 0) {
                    connection.rollback();
                } else {
                    connection.commit();
                    settle(lease, notExecuted());
                }
            }
        }
        assertThat(granted("last").fence()).isGreaterThan(last);
    }

    @Test
    @DisplayName("I2: the lease of a claim that was rolled back writes nothing, be the key claimed anew or not")
    default void transaction_stale_lease() throws SQLException {
        for (Store next : List.of(store(), harness().another())) {
            String key = next == store() ? "claimed-by-the-same-store" : "claimed-by-another";
            try (Connection connection = begin()) {
                StoreTransaction transaction = within(connection);
                Lease lost = granted(transaction, request(key));
                connection.rollback();
                assertThat(transaction.settle(lost, completed("stale"), RETENTION))
                        .isEqualTo(new SettleAnswer.Refused(Optional.empty()));
                connection.rollback();
                ClaimAnswer anew = StoreVerbs.await(next.claim(request(key)));
                assertThat(anew).isInstanceOf(ClaimAnswer.Granted.class);
                assertThat(transaction.settle(lost, completed("stale"), RETENTION))
                        .isInstanceOf(SettleAnswer.Refused.class);
                connection.commit();
                assertThat(record(key).state()).isEqualTo(State.IN_PROGRESS);
                assertThat(settle(((ClaimAnswer.Granted) anew).lease(), completed("done")))
                        .isInstanceOf(SettleAnswer.Settled.class);
            }
        }
    }

    @Test
    @DisplayName("a settlement that the state machine does not have is refused, and shows what is on record")
    default void transaction_settlement_refused() throws SQLException {
        try (Connection connection = begin()) {
            StoreTransaction transaction = within(connection);
            Lease lease = granted(transaction, request("k"));
            Lease stale = new Lease(lease.identity(), lease.fence() - 1);
            assertThat(transaction.settle(stale, completed("stale"), RETENTION))
                    .isInstanceOf(SettleAnswer.Refused.class);
            transaction.settle(lease, completed("done"), RETENTION);
            assertThat(transaction.settle(lease, completed("twice"), RETENTION))
                    .asInstanceOf(type(SettleAnswer.Refused.class))
                    .satisfies(refused -> assertThat(refused.current())
                            .hasValueSatisfying(
                                    current -> assertThat(current.response()).isEqualTo(response("done"))));
            connection.commit();
        }
        assertThat(history("k")).hasSize(2);
    }

    @Test
    @DisplayName("I10: the store's clock decides, also when the transaction began long before the claim")
    default void transaction_clock() throws SQLException {
        granted("running");
        Instant start = record("running").times().createdAt();
        try (Connection connection = begin()) {
            assertThat(within(connection).claim(request("running"))).isInstanceOf(ClaimAnswer.Busy.class);
            harness().elapse(Duration.ofHours(1));
            StoreTransaction transaction = within(connection);
            ClaimAnswer answer = transaction.claim(request("k"));
            StoredRecord granted = ((ClaimAnswer.Granted) answer).record();
            assertThat(granted.times().claimedAt()).isAfterOrEqualTo(start.plus(Duration.ofHours(1)));
            assertThat(granted.times().lockedUntil())
                    .isEqualTo(granted.times().claimedAt().plus(LEASE));
            harness().elapse(Duration.ofHours(1));
            assertThat(transaction.settle(granted.lease(), completed("done"), Duration.ofMinutes(5)))
                    .as("settled after its lease, which no claim could take over")
                    .isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
            connection.commit();
        }
        StoredRecord record = record("k");
        assertThat(record.times().updatedAt()).isAfterOrEqualTo(start.plus(Duration.ofHours(2)));
        assertThat(record.retentionRemaining()).isPositive().isLessThanOrEqualTo(Duration.ofMinutes(5));
        assertThat(history("k"))
                .extracting(AuditEntry::at)
                .containsExactly(record.times().claimedAt(), record.times().updatedAt());
    }

    @Test
    @DisplayName("a connection in autocommit mode has no transaction, and is refused")
    default void transaction_autocommit() throws SQLException {
        try (Connection connection = harness().connections().getConnection()) {
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> within(connection)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @DisplayName("a connection that is closed fails as a store does")
    default void transaction_closed_connection() throws SQLException {
        Connection connection = begin();
        StoreTransaction transaction = within(connection);
        connection.close();
        assertThatThrownBy(() -> transaction.claim(request("k"))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> within(connection).claim(request("k"))).isInstanceOf(StoreException.class);
    }

    @Test
    @DisplayName("the store uses the connection that it is given, and no other: one is enough")
    default void transaction_of_one_connection() throws SQLException {
        Intent intent = Intent.of(Operation.named(OPERATION), id("k").scope(), id("k").key(), FINGERPRINT);
        SemelEngine semel = SemelEngine.on(harness().transactional())
                .timer(new ManualTime())
                .build();
        long before = harness().roundTrips();
        try (OneConnection only = new OneConnection(harness().connections().getConnection())) {
            for (int i = 0; i < 3; i++) {
                Execution<String> execution =
                        semel.executeInTransaction(only.dataSource(), intent, Codec.text(), (connection, attempt) -> {
                            write(connection, "charged");
                            return "done";
                        });
                assertThat(execution).isInstanceOf(i == 0 ? Execution.Ran.class : Execution.Replayed.class);
            }
        }
        assertThat(harness().roundTrips())
                .as("on connections of the store's own")
                .isEqualTo(before);
        assertThat(written()).containsExactly("charged");
    }
}
