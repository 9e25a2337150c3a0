package dev.semel.testkit.contract;

import dev.semel.Lease;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.StoreTransaction;
import dev.semel.testkit.TransactionalHarness;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The words in which the contract of transactions is written: an application that keeps entries in a table of its own. */
public interface TransactionVerbs extends StoreVerbs {

    /** Longer than any test takes: a wait that ends has found a bug. */
    Duration LONG_WAIT = Duration.ofMinutes(1);

    @Override
    TransactionalHarness harness();

    /** Begins a transaction of the application. */
    default Connection begin() throws SQLException {
        Connection connection = harness().connections().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** The store's verbs in this transaction. */
    default StoreTransaction within(Connection connection) {
        return harness().transactional().within(connection, LONG_WAIT);
    }

    /** Claims in this transaction and expects the grant. */
    default Lease granted(StoreTransaction transaction, ClaimRequest request) {
        ClaimAnswer answer = transaction.claim(request);
        if (answer instanceof ClaimAnswer.Granted granted) {
            return granted.lease();
        }
        throw new AssertionError("expected the claim to be granted, but got " + answer);
    }

    /** Claims in a transaction that does nothing else, and commits. */
    default ClaimAnswer claimAlone(ClaimRequest request) throws SQLException {
        try (Connection connection = begin()) {
            ClaimAnswer answer = within(connection).claim(request);
            connection.commit();
            return answer;
        }
    }

    /** What the application does in its transaction. */
    static void write(Connection connection, String entry) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO application_entry (entry) VALUES (?)")) {
            statement.setString(1, entry);
            statement.executeUpdate();
        }
    }

    /** What the application has committed, in order. */
    default List<String> written() throws SQLException {
        try (Connection connection = harness().connections().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT entry FROM application_entry ORDER BY entry")) {
            List<String> entries = new ArrayList<>();
            while (rows.next()) {
                entries.add(rows.getString(1));
            }
            return entries;
        }
    }
}
