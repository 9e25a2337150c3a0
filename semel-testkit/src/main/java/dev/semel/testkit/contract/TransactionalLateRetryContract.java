package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation.LateRetries;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.StoreTransaction;
import dev.semel.testkit.TransactionalHarness;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The same contract for claims within a transaction of the application's. */
public abstract class TransactionalLateRetryContract extends LateRetryContract {

    @Override
    protected abstract TransactionalHarness open(Duration tombstones) throws Exception;

    private TransactionalHarness transactional() {
        return (TransactionalHarness) harness();
    }

    private ClaimAnswer within(ClaimRequest request) throws Exception {
        try (Connection connection = transactional().connections().getConnection()) {
            connection.setAutoCommit(false);
            StoreTransaction transaction = transactional().transactional().within(connection, Duration.ofSeconds(5));
            ClaimAnswer answer = transaction.claim(request);
            if (answer instanceof ClaimAnswer.Granted granted) {
                transaction.settle(granted.lease(), StoreVerbs.completed("done"), RETENTION);
            }
            connection.commit();
            return answer;
        }
    }

    @Test
    @DisplayName("within a transaction, a key that carries its time is refused when its retention has passed")
    void late_timed_within() throws Exception {
        with(Duration.ZERO);
        Instant time = now();
        assertThat(within(timed("k", time))).isInstanceOf(ClaimAnswer.Granted.class);
        assertThat(within(timed("early", time.plus(RETENTION)))).isInstanceOf(ClaimAnswer.TooEarly.class);
        expireRetention();
        assertThat(within(timed("k", time))).isInstanceOf(ClaimAnswer.TooLate.class);
        prune(100, Expiry.DELETE);
        assertThat(within(timed("k", time))).isInstanceOf(ClaimAnswer.TooLate.class);
        assertThat(find("k")).isEmpty();
        assertThat(find("early")).isEmpty();
        harness().elapse(RETENTION.plusSeconds(1).negated());
        assertThat(within(timed("k", time))).isInstanceOf(ClaimAnswer.TooLate.class);
    }

    @Test
    @DisplayName(
            "within a transaction, a key whose record has left a tombstone is refused, and nothing is left of the claim")
    void late_tombstone_within() throws Exception {
        with(Duration.ofDays(365));
        assertThat(within(untimed("k", LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.Granted.class);
        expireRetention();
        assertThat(within(untimed("k", LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.TooLate.class);
        prune(100, Expiry.DELETE);
        assertThat(within(untimed("k", LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.TooLate.class);
        assertThat(find("k")).isEmpty();
        assertThat(history("k")).isEmpty();
        assertThat(within(untimed("k", LateRetries.EXECUTE))).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    @DisplayName("a record that is deleted while a transaction that began before goes on is not executed again by it")
    void late_deleted_since() throws Exception {
        with(Duration.ofDays(365));
        settle(granted("k"), StoreVerbs.completed("done"));
        expireRetention();
        try (Connection connection = transactional().connections().getConnection()) {
            connection.setAutoCommit(false);
            connection
                    .createStatement()
                    .executeQuery("SELECT count(*) FROM semel_record")
                    .close();
            prune(100, Expiry.DELETE);
            StoreTransaction transaction = transactional().transactional().within(connection, Duration.ofSeconds(5));
            try {
                assertThat(transaction.claim(untimed("k", LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.TooLate.class);
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("repeat");
            }
            connection.rollback();
        }
    }
}
