package dev.semel.jdbc.mysql;

import dev.semel.testkit.TransactionalHarness;
import dev.semel.testkit.contract.TransactionalStoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("MariaDB transactions")
class MysqlTransactionalStoreContractTest {

    @Nested
    @DisplayName("at READ COMMITTED")
    class ReadCommitted extends TransactionalStoreContract {

        @Override
        protected TransactionalHarness open() throws SQLException {
            return new MysqlHarness(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Nested
    @DisplayName("at REPEATABLE READ")
    class RepeatableRead extends TransactionalStoreContract {

        @Override
        protected TransactionalHarness open() throws SQLException {
            return new MysqlHarness(Connection.TRANSACTION_REPEATABLE_READ);
        }
    }
}
