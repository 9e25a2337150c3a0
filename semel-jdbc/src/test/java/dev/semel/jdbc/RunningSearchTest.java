package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.State;
import dev.semel.engine.Store;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Filter;
import dev.semel.reconcile.RecordSearch.Page;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A search where more is in progress than a page looks at")
class RunningSearchTest {

    private static final int RUNNING = 6000;
    private static final int DONE = 100;

    @TempDir
    Path folder;

    /** The later a claim, the sooner its lease ends. */
    private Path filled() throws SQLException {
        Path file = folder.resolve("semel.db");
        SqliteStore.open(file).close();
        try (Connection connection = SqliteStore.dataSource(file).getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("""
                    WITH RECURSIVE n (i, runs) AS (SELECT 1, 1 UNION ALL SELECT i + 1, i < %d FROM n WHERE i < %d)
                    INSERT INTO semel_record (scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
                                              locked_until, expires_at, created_at, updated_at, claimed_at, response)
                    SELECT 'acme', 'key-' || i, 'create-payment', 'v1:meant',
                           CASE WHEN runs THEN 'in_progress' ELSE 'completed' END, i, 1, 0, 'holder',
                           CASE WHEN runs THEN 9000000000000000 - i END, CASE WHEN NOT runs THEN 9000000000000000 END,
                           i, i, i, CASE WHEN NOT runs THEN x'0100' END
                    FROM n
                    """.formatted(RUNNING, RUNNING + DONE));
        }
        return file;
    }

    @Test
    void is_bounded_says_that_it_is_not_complete_and_still_shows_the_other_states() throws SQLException {
        try (Store store = Stores.open("sqlite:" + filled())) {
            Page all = store.search(RecordSearch.newest(Filter.ALL, 50));
            assertThat(all.records()).hasSize(50).allMatch(record -> record.state() == State.COMPLETED);
            assertThat(all.complete()).isFalse();
            assertThat(all.next()).isNotNull();
            assertThat(all.examined()).isBetween(RUNNING / 2, RecordSearch.MAX_EXAMINED);

            Page running = store.search(RecordSearch.newest(Filter.ALL.withStates(Set.of(State.IN_PROGRESS)), 50));
            assertThat(running.records()).hasSize(50);
            assertThat(running.records().get(0).fence()).isEqualTo(RUNNING);
            assertThat(running.complete()).isFalse();

            Page done = store.search(RecordSearch.oldest(Filter.ALL.withStates(Set.of(State.COMPLETED)), 200));
            assertThat(done.records()).hasSize(DONE);
            assertThat(done.complete()).isTrue();
        }
    }
}
