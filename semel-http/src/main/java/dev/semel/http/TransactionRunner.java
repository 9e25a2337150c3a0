package dev.semel.http;

import java.sql.Connection;
import javax.sql.DataSource;

/**
 * The application's way to begin and end transactions, for routes whose claim, handler and recorded response are one.
 *
 * <p>With Spring, so that everything that uses the data source takes part:
 *
 * <pre>{@code
 * TransactionTemplate template = new TransactionTemplate(transactionManager);
 * TransactionRunner runner = work -> template.executeWithoutResult(
 *         status -> work.on(DataSourceUtils.getConnection(dataSource)));
 * }</pre>
 */
@FunctionalInterface
public interface TransactionRunner {

    /**
     * Begins a transaction, calls the work with its connection, and ends it:
     *
     * <ol>
     *   <li>The work is called once, on the calling thread.
     *   <li>If it returns, the transaction commits. If it throws, the transaction rolls back, and what it threw is thrown
     *       on, as it is or as a cause.
     *   <li>This method returns normally only when the commit is confirmed. A commit that failed, that may have failed, or
     *       that became a rollback is an exception, since the response is sent as soon as this method returns.
     *   <li>The transaction is a new one, never a part of one that began before and commits later.
     * </ol>
     */
    void run(Work work) throws Exception;

    /** The work that is done in the transaction. */
    @FunctionalInterface
    interface Work {

        /**
         * Does the work on a connection that is not in autocommit mode.
         *
         * @throws RuntimeException to have the transaction rolled back
         */
        void on(Connection connection);
    }

    /**
     * Transactions on connections of this data source. Handlers find theirs with
     * {@link dev.semel.http.servlet.SemelFilter#connection}.
     */
    static TransactionRunner on(DataSource dataSource) {
        return new JdbcTransactions(dataSource);
    }
}
