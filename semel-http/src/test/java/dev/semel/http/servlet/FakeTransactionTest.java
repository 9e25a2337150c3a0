package dev.semel.http.servlet;

import org.junit.jupiter.api.Nested;

/** Transactions on a database in memory. */
class FakeTransactionTest {

    @Nested
    class Undoing extends TransactionContract {
        @Override
        Database open() {
            return new FakeDatabase();
        }
    }

    @Nested
    class Committing extends CommitContract {
        @Override
        Database open() {
            return new FakeDatabase();
        }
    }
}
