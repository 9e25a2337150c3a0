package dev.semel.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.adapter.Claim;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.testkit.ManualTime;
import dev.semel.testsupport.stores.CountingStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("an engine with a near-cache on a real database")
class CachedEngineTest {

    private static final Duration MAX_AGE = Duration.ofMinutes(1);
    private static final Identity ID = Identity.of("acme", "order-42");
    private static final Intent INTENT =
            Intent.of(Operation.named("order"), ID.scope(), ID.key(), new Fingerprint("v1:abc"));

    @TempDir
    Path folder;

    private final ManualTime time = new ManualTime();
    private final CaffeineNearCache cache =
            CaffeineNearCache.builder().maxAge(MAX_AGE).timer(time).build();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private DataSource dataSource;
    private CountingStore counting;
    private SemelEngine semel;
    private SemelEngine transactional;
    private int executions;

    @BeforeEach
    void open() {
        Path file = folder.resolve("semel.db");
        dataSource = SqliteStore.dataSource(file);
        counting = new CountingStore(SqliteStore.open(file));
        semel = SemelEngine.on(counting)
                .timer(time)
                .nearCache(cache)
                .listener(events::add)
                .build();
        transactional = SemelEngine.on(SqliteStore.open(file))
                .timer(time)
                .nearCache(cache)
                .build();
    }

    @AfterEach
    void close() {
        semel.close();
        transactional.close();
    }

    private Execution<String> execute() {
        return semel.execute(INTENT, Codec.text(), attempt -> "ordered " + ++executions);
    }

    private long roundTripsOf(Runnable requests) {
        long before = counting.calls();
        requests.run();
        return counting.calls() - before;
    }

    private void deleteByHand() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("DELETE FROM semel_record")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("a first request takes two round trips, a replay none, and one when the entry has expired")
    void round_trips() {
        assertThat(roundTripsOf(this::execute)).isEqualTo(2);
        assertThat(roundTripsOf(this::execute)).isZero();
        time.advance(MAX_AGE);
        assertThat(roundTripsOf(this::execute)).isEqualTo(1);
        assertThat(roundTripsOf(this::execute)).isZero();
        assertThat(executions).isEqualTo(1);
        assertThat(events)
                .filteredOn(Event.Replayed.class::isInstance)
                .extracting(event -> ((Event.Replayed) event).near())
                .containsExactly(true, false, true);
        assertThat(cache.statistics().hits()).isEqualTo(2);
        assertThat(cache.statistics().misses()).isEqualTo(2);
    }

    @Test
    void a_record_deleted_from_the_store_is_replayed_for_at_most_the_maximum_age() throws SQLException {
        execute();
        deleteByHand();
        time.advance(MAX_AGE.minusNanos(1));
        assertThat(execute()).isEqualTo(new Execution.Replayed<>("ordered 1"));
        time.advance(Duration.ofNanos(1));
        assertThat(execute().orThrow()).isEqualTo("ordered 2");
    }

    @Test
    void a_record_deleted_from_the_store_and_the_cache_is_gone_at_once() throws SQLException {
        execute();
        deleteByHand();
        cache.forget(ID);
        assertThat(execute().orThrow()).isEqualTo("ordered 2");
        deleteByHand();
        cache.clear();
        assertThat(execute().orThrow()).isEqualTo("ordered 3");
    }

    @Test
    @DisplayName("I1: a completion that the caller's transaction rolls back is never replayed from memory")
    void rollback() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            transactional.within(connection).execute(INTENT, Codec.text(), attempt -> "rolled back");
            assertThat(transactional.within(connection).begin(INTENT)).isInstanceOf(Claim.Recorded.class);
            connection.rollback();
        }
        assertThat(transactional.executeInTransaction(
                        dataSource, INTENT, Codec.text(), (connection, attempt) -> "committed"))
                .isInstanceOf(Execution.Ran.class);
    }

    @Test
    void a_failed_transaction_leaves_no_entry_and_a_committed_one_is_replayed_from_memory() {
        assertThatThrownBy(() ->
                        transactional.executeInTransaction(dataSource, INTENT, Codec.text(), (connection, attempt) -> {
                            throw new IllegalStateException("sold out");
                        }))
                .hasMessage("sold out");
        assertThat(cache.statistics().entries()).isZero();
        transactional.executeInTransaction(dataSource, INTENT, Codec.text(), (connection, attempt) -> "committed");
        assertThat(transactional.begin(INTENT)).isInstanceOf(Claim.Recorded.class);
        assertThat(cache.statistics().hits()).isEqualTo(1);
    }
}
