package dev.semel.testkit.contract;

import dev.semel.testkit.TransactionalHarness;
import java.sql.Connection;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract of {@link dev.semel.engine.TransactionalStore}, for stores that have passed {@link StoreContract}: claims and
 * settlements that are part of an application's transaction, next to a table of its own.
 */
public abstract class TransactionalStoreContract
        implements TransactionContract,
                TransactionClaimContract,
                TransactionUndoContract,
                TransactionLateContract,
                TransactionUnknownContract,
                TransactionRaceContract {

    private @Nullable TransactionalHarness harness;

    /** Opens an empty store in a database that has nothing else; called before each test. */
    protected abstract TransactionalHarness open() throws Exception;

    @BeforeEach
    final void openHarness() throws Exception {
        harness = open();
        try (Connection connection = harness.connections().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE application_entry (entry VARCHAR(200) NOT NULL)");
        }
    }

    @AfterEach
    final void closeHarness() {
        if (harness != null) {
            harness.close();
        }
    }

    @Override
    public final TransactionalHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("the harness is open only during a test");
        }
        return harness;
    }
}
