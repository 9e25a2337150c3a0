package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.torture.bugs.Bug;
import dev.semel.torture.history.CheckResult;
import dev.semel.torture.history.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two runs at a time: for half of its time, a run waits until outcomes are known. */
@DisplayName("Real processes under faults")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class TortureIT {

    private static final Duration LENGTH = Duration.ofSeconds(12);

    /** A bug shows sooner than its absence. */
    private static final Duration LENGTH_WITH_BUG = Duration.ofSeconds(6);

    private static final int APPS = 3;

    /** On a busy machine too little may happen in so short a time; then it is done again, with another seed. */
    private static final int MOST_RUNS = 4;

    @TempDir
    Path directory;

    private interface Opening {
        Backend open(Path directory) throws IOException;
    }

    private CheckResult torture(Opening opening, @Nullable Bug bug) throws Exception {
        return torture(opening, Emphasis.on(bug), bug);
    }

    private CheckResult torture(Opening opening, Emphasis emphasis, @Nullable Bug bug) throws Exception {
        for (int run = 1; ; run++) {
            Path logs = Files.createDirectory(directory.resolve("run-" + run));
            try (Backend backend = opening.open(logs)) {
                Duration length = bug == null ? LENGTH : LENGTH_WITH_BUG;
                Setup setup = new Setup(run, length, APPS, backend.kind(), emphasis);
                CheckResult verdict = new Conductor(setup, backend, logs, bug, line -> {}).run();
                backend.sharing()
                        .ifPresent(sharing -> assertThat(sharing.most())
                                .as("writes in the largest commit")
                                .isGreaterThan(1));
                if (!(verdict instanceof CheckResult.Inconclusive) || run == MOST_RUNS) {
                    return verdict;
                }
            }
        }
    }

    private static void assertValid(CheckResult verdict) {
        assertThat(verdict).as(() -> Report.of(verdict)).isInstanceOf(CheckResult.Valid.class);
    }

    @Test
    void keep_every_promise_on_sqlite() throws Exception {
        assertValid(torture(logs -> new SqliteBackend(logs.resolve("semel.db")), null));
    }

    @Test
    void keep_every_promise_on_postgresql() throws Exception {
        assertValid(torture(logs -> PostgresBackend.start(logs.resolve("postgresql"), APPS), null));
    }

    @Test
    void keep_every_promise_on_mariadb() throws Exception {
        assertValid(torture(logs -> MariadbBackend.start(logs.resolve("mariadb"), APPS), null));
    }

    @Test
    void keep_every_promise_on_redis() throws Exception {
        assertValid(torture(logs -> RedisBackend.start(APPS), null));
    }

    @Test
    void keep_every_promise_on_postgresql_with_a_poisoned_redis_in_front() throws Exception {
        assertValid(torture(logs -> TieredBackend.start(logs.resolve("postgresql"), APPS), null));
    }

    @Test
    void refuse_late_retries_by_the_time_of_their_keys_on_sqlite() throws Exception {
        assertValid(torture(logs -> new SqliteBackend(logs.resolve("semel.db")), Emphasis.LATE_BY_TIME, null));
    }

    @Test
    void refuse_late_retries_by_tombstones_on_postgresql() throws Exception {
        assertValid(torture(
                logs -> PostgresBackend.start(logs.resolve("postgresql"), APPS), Emphasis.LATE_BY_TOMBSTONE, null));
    }

    @Test
    void are_caught_when_they_take_over_expired_leases() throws Exception {
        CheckResult verdict = torture(logs -> new SqliteBackend(logs.resolve("semel.db")), Bug.TAKEOVER_ON_EXPIRY);

        assertThat(verdict).as(() -> Report.of(verdict)).isInstanceOf(CheckResult.Invalid.class);
        assertThat(((CheckResult.Invalid) verdict).violations())
                .extracting(Violation::invariant)
                .contains("I5");
    }
}
