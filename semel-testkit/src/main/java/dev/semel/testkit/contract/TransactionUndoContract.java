package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.still;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static dev.semel.testkit.contract.TransactionVerbs.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How part of a transaction is undone while the rest goes on. */
public interface TransactionUndoContract extends TransactionVerbs {

    @Test
    @DisplayName("undoing the work keeps the claim, and what was written before it")
    default void undo_work() throws SQLException {
        try (Connection connection = begin()) {
            write(connection, "1 before the claim");
            StoreTransaction transaction = within(connection);
            Lease lease = granted(transaction, request("k"));
            write(connection, "2 work");
            transaction.undoWork();
            assertThat(transaction.settle(lease, unknown(), RETENTION)).isInstanceOf(SettleAnswer.Settled.class);
            write(connection, "3 after");
            connection.commit();
            assertThat(record("k").state()).isEqualTo(State.UNKNOWN);
            assertThat(record("k").lease()).isEqualTo(lease);
        }
        assertThat(written()).containsExactly("1 before the claim", "3 after");
        Replay.of(history("k")).assertDescribes(record("k"));
    }

    @Test
    @DisplayName("work can be undone, done again and undone again under one claim")
    default void undo_work_again() throws SQLException {
        try (Connection connection = begin()) {
            StoreTransaction transaction = within(connection);
            Lease lease = granted(transaction, request("k"));
            for (int i = 0; i < 3; i++) {
                write(connection, "undone " + i);
                transaction.undoWork();
            }
            transaction.undoWork();
            write(connection, "kept");
            transaction.settle(lease, completed("done"), RETENTION);
            connection.commit();
        }
        assertThat(written()).containsExactly("kept");
        assertThat(record("k").response()).isEqualTo(response("done"));
    }

    @Test
    @DisplayName(
            "undoing the claim removes it, its history and the work; the transaction goes on as if nothing had been")
    default void undo_claim() throws SQLException {
        try (Connection connection = begin()) {
            write(connection, "1 before the claim");
            StoreTransaction transaction = within(connection);
            granted(transaction, request("k"));
            write(connection, "2 work");
            transaction.undoClaim();
            write(connection, "3 after");
            connection.commit();
        }
        assertThat(written()).containsExactly("1 before the claim", "3 after");
        assertThat(find("k")).isEmpty();
        assertThat(history("k")).isEmpty();
        assertThat(granted("k").fence()).isPositive();
    }

    @Test
    @DisplayName("undoing the claim gives a record back that was there before")
    default void undo_claim_of_a_retry() throws SQLException {
        settle(granted("k"), notExecuted());
        StoredRecord before = record("k");
        try (Connection connection = begin()) {
            StoreTransaction transaction = within(connection);
            granted(transaction, request("k"));
            transaction.undoWork();
            transaction.undoClaim();
            connection.commit();
        }
        assertThat(still(record("k"))).isEqualTo(still(before));
        assertThat(history("k")).hasSize(2);
    }

    @Test
    @DisplayName("after an undone claim the same transaction can claim again, and the undone lease writes nothing")
    default void undo_claim_then_claim() throws SQLException {
        try (Connection connection = begin()) {
            StoreTransaction first = within(connection);
            Lease undone = granted(first, request("k"));
            write(connection, "undone");
            first.undoClaim();
            assertThat(first.settle(undone, completed("undone"), RETENTION)).isInstanceOf(SettleAnswer.Refused.class);
            StoreTransaction second = within(connection);
            Lease lease = granted(second, request("k"));
            write(connection, "kept");
            second.settle(lease, completed("done"), RETENTION);
            connection.commit();
            assertThat(record("k").lease()).isEqualTo(lease);
        }
        assertThat(written()).containsExactly("kept");
        assertThat(record("k").attempts()).isEqualTo(1);
        assertThat(record("k").response()).isEqualTo(response("done"));
    }

    @Test
    @DisplayName("two claims in one transaction are undone each for itself, the later one first")
    default void undo_nested() throws SQLException {
        try (Connection connection = begin()) {
            StoreTransaction outer = within(connection);
            Lease outerLease = granted(outer, request("outer"));
            write(connection, "1 outer");
            StoreTransaction inner = within(connection);
            granted(inner, request("inner"));
            write(connection, "2 inner");
            inner.undoClaim();
            write(connection, "3 outer");
            outer.settle(outerLease, completed("done"), RETENTION);
            connection.commit();
        }
        assertThat(written()).containsExactly("1 outer", "3 outer");
        assertThat(find("inner")).isEmpty();
        assertThat(record("outer").state()).isEqualTo(State.COMPLETED);

        try (Connection connection = begin()) {
            write(connection, "4 before");
            StoreTransaction outer = within(connection);
            granted(outer, request("undone-outer"));
            StoreTransaction inner = within(connection);
            Lease innerLease = granted(inner, request("undone-inner"));
            inner.settle(innerLease, completed("done"), RETENTION);
            outer.undoClaim();
            connection.commit();
        }
        assertThat(written()).containsExactly("1 outer", "3 outer", "4 before");
        assertThat(find("undone-outer")).isEmpty();
        assertThat(find("undone-inner")).isEmpty();
    }

    @Test
    @DisplayName("undoing mends a transaction in which a statement of the application has failed")
    default void undo_after_failed_statement() throws SQLException {
        try (Connection connection = begin()) {
            write(connection, "1 before the claim");
            StoreTransaction transaction = within(connection);
            Lease lease = granted(transaction, request("unknown"));
            breakStatement(connection);
            transaction.undoWork();
            transaction.settle(lease, unknown(), RETENTION);
            StoreTransaction next = within(connection);
            granted(next, request("undone"));
            breakStatement(connection);
            next.undoClaim();
            write(connection, "2 after");
            connection.commit();
        }
        assertThat(written()).containsExactly("1 before the claim", "2 after");
        assertThat(record("unknown").state()).isEqualTo(State.UNKNOWN);
        assertThat(find("undone")).isEmpty();
    }

    private static void breakStatement(Connection connection) throws SQLException {
        write(connection, "lost with the statement that failed");
        try (Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeUpdate("INSERT INTO application_entry (entry) VALUES (NULL)"))
                    .isInstanceOf(SQLException.class);
        }
    }
}
