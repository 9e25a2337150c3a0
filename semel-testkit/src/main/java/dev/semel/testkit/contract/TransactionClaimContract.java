package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.still;
import static dev.semel.testkit.contract.TransactionVerbs.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a claim within a transaction finds, and what becomes of it with the transaction. */
public interface TransactionClaimContract extends TransactionVerbs {

    @Test
    @DisplayName("a claim in a transaction is decided as any other: busy, unknown, mismatch, recorded, granted again")
    default void transaction_claims() throws SQLException {
        granted("busy");
        unknownLease("unknown");
        settle(granted("failed"), notExecuted());
        Lease failed = record("failed").lease();
        for (String key : List.of("busy", "unknown", "failed")) {
            ClaimRequest other = reexecutable(key).withFingerprint(OTHER_FINGERPRINT);
            StoredRecord before = still(record(key));
            assertThat(claimAlone(other)).as(key).isInstanceOf(ClaimAnswer.Mismatch.class);
            assertThat(still(record(key))).isEqualTo(before);
        }
        assertThat(claimAlone(request("busy")))
                .asInstanceOf(type(ClaimAnswer.Busy.class))
                .satisfies(
                        busy -> assertThat(busy.leaseRemaining()).isPositive().isLessThanOrEqualTo(LEASE));
        assertThat(claimAlone(reexecutable("unknown")))
                .asInstanceOf(type(ClaimAnswer.Unknown.class))
                .satisfies(found -> assertThat(found.record().reason()).isEqualTo("timeout"));
        assertThat(claimAlone(request("failed")))
                .asInstanceOf(type(ClaimAnswer.Granted.class))
                .satisfies(granted -> {
                    assertThat(granted.attempts()).isEqualTo(2);
                    assertThat(granted.lease().fence()).isGreaterThan(failed.fence());
                });
        for (String key : List.of("busy", "unknown", "failed")) {
            Replay.of(history(key)).assertDescribes(record(key));
        }
    }

    @Test
    @DisplayName("a claim that is not granted leaves the transaction as it was, with what was written before and after")
    default void transaction_goes_on() throws SQLException {
        settle(granted("recorded"), completed("done"));
        granted("busy");
        unknownLease("unknown");
        try (Connection connection = begin()) {
            write(connection, "1 before");
            int entry = 2;
            for (String key : List.of("recorded", "busy", "unknown")) {
                assertThat(within(connection).claim(request(key))).isNotInstanceOf(ClaimAnswer.Granted.class);
                assertThat(within(connection).claim(request(key).withFingerprint(OTHER_FINGERPRINT)))
                        .isInstanceOf(ClaimAnswer.Mismatch.class);
                write(connection, entry++ + " after " + key);
            }
            connection.commit();
        }
        assertThat(written()).containsExactly("1 before", "2 after recorded", "3 after busy", "4 after unknown");
    }

    @Test
    @DisplayName("I5: an expired lease that a transaction notices becomes unknown with its commit, and not without")
    default void transaction_expired_lease() throws SQLException {
        Lease lease = granted("k");
        expireLeases();
        try (Connection connection = begin()) {
            assertThat(within(connection).claim(request("k"))).isInstanceOf(ClaimAnswer.Unknown.class);
            connection.rollback();
        }
        assertThat(record("k").state()).isEqualTo(State.IN_PROGRESS);
        assertThat(history("k")).hasSize(1);
        ClaimRequest noticing = request("k");
        assertThat(claimAlone(noticing)).isInstanceOf(ClaimAnswer.Unknown.class);
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.UNKNOWN);
        assertThat(record.reason()).isEqualTo(StoredRecord.LEASE_EXPIRED);
        assertThat(record.lease()).isEqualTo(lease);
        assertThat(history("k")).last().satisfies(entry -> {
            assertThat(entry.change()).isEqualTo(Change.GIVEN_UP);
            assertThat(entry.who()).isEqualTo(noticing.holder());
        });
        assertThat(due(10)).hasSize(1);
    }

    @Test
    @DisplayName("a takeover within a transaction is rolled back with it: the vanished attempt is the last one again")
    default void transaction_takeover() throws SQLException {
        Lease vanished = granted(reexecutable("k"));
        step(vanished, "reserve", response("reserved"));
        StoredRecord before = record("k");
        expireLeases();
        try (Connection connection = begin()) {
            ClaimAnswer answer = within(connection).claim(reexecutable("k"));
            assertThat(answer).asInstanceOf(type(ClaimAnswer.Granted.class)).satisfies(granted -> {
                assertThat(granted.attempts()).isEqualTo(2);
                assertThat(granted.record().steps()).isEqualTo(before.steps());
                assertThat(granted.record().times().doubtSince())
                        .isEqualTo(before.times().claimedAt());
            });
            connection.rollback();
        }
        assertThat(still(record("k"))).isEqualTo(still(before));
        assertThat(history("k")).hasSize(2);
        try (Connection connection = begin()) {
            StoreTransaction transaction = within(connection);
            Lease lease = granted(transaction, reexecutable("k"));
            transaction.settle(lease, completed("done"), RETENTION);
            connection.commit();
        }
        assertThat(record("k").response()).isEqualTo(response("done"));
        assertThat(settle(vanished, completed("stale"))).isInstanceOf(SettleAnswer.Refused.class);
        Replay.of(history("k")).assertDescribes(record("k"));
    }

    @Test
    @DisplayName(
            "a record past its retention is granted afresh, whatever the request means, and comes back on rollback")
    default void transaction_expired_record() throws SQLException {
        settle(granted("k"), completed("old"));
        settle(granted("marked"), completed("old"));
        expireRetention();
        for (String key : List.of("k", "marked")) {
            StoredRecord before = record(key);
            try (Connection connection = begin()) {
                ClaimAnswer answer = within(connection).claim(request(key).withFingerprint(OTHER_FINGERPRINT));
                assertThat(answer)
                        .asInstanceOf(type(ClaimAnswer.Granted.class))
                        .satisfies(granted -> assertThat(granted.attempts()).isEqualTo(1));
                connection.rollback();
            }
            assertThat(still(record(key))).isEqualTo(still(before));
            prune(10, Expiry.MARK);
        }
    }
}
