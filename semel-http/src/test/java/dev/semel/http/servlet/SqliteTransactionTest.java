package dev.semel.http.servlet;

import dev.semel.engine.Store;
import dev.semel.jdbc.sqlite.SqliteOptions;
import dev.semel.jdbc.sqlite.SqliteStore;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Requests on a SQLite file that holds the store and the application's table. */
class SqliteTransactionTest {

    @TempDir
    Path directory;

    private Database newDatabase() throws Exception {
        Path file = directory.resolve("application.db");
        return new SqlDatabase(SqliteStore.dataSource(file), () -> SqliteStore.open(file));
    }

    @Nested
    class Undoing extends TransactionContract {
        @Override
        Database open() throws Exception {
            return newDatabase();
        }
    }

    @Nested
    class Committing extends CommitContract {
        @Override
        Database open() throws Exception {
            return newDatabase();
        }
    }

    @Nested
    class Alone extends OneThreadContract {

        @Override
        DataSource dataSource() throws Exception {
            return newDatabase().dataSource();
        }

        @Override
        Store open(DataSource dataSource) {
            return new SqliteStore(dataSource, SqliteOptions.DEFAULT);
        }
    }
}
