package dev.semel.jdbc.mysql;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.testing.UnknownOutcome;
import dev.semel.jdbc.testing.Uris;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.MariadbServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("MariaDB: a server that is killed under load and starts again")
@Timeout(180)
class MysqlRestartTest {

    private static final int THREADS = 8;

    @TempDir
    Path directory;

    @Test
    void everything_that_was_confirmed_is_there_and_fences_go_on_rising() throws Exception {
        try (MariadbServer server = MariadbServer.start(directory);
                Store store = Stores.open(server.newDatabase())) {
            long pruned = prunedFence(store);
            server.kill();
            server.restart();
            assertThat(claimWhenBack(store, "k"))
                    .as("of a record that was deleted")
                    .isGreaterThan(pruned);

            Queue<Lease> confirmed = new ConcurrentLinkedQueue<>();
            AtomicBoolean down = new AtomicBoolean();
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            for (int thread = 0; thread < THREADS; thread++) {
                String name = "thread-" + thread + "-";
                threads.execute(() -> pay(store, name, confirmed, down));
            }
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> confirmed.size() > 200);
            server.kill();
            down.set(true);
            threads.shutdown();
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
            assertThatThrownBy(() -> await(store.claim(request("new"))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("check that it runs");

            server.restart();
            long next = claimWhenBack(store, "new");
            for (Lease lease : confirmed) {
                assertThat(next).isGreaterThan(lease.fence());
                assertThat(await(store.find(lease.identity())).orElseThrow())
                        .satisfies(record -> assertThat(record.state()).isEqualTo(State.COMPLETED))
                        .satisfies(record -> assertThat(record.lease()).isEqualTo(lease));
            }
        }
    }

    @Test
    @DisplayName("I1, I6: an unknown outcome is recorded when the server is back that was killed before its commit")
    void an_unknown_outcome_is_recorded_when_the_server_is_back() throws Exception {
        try (MariadbServer server = MariadbServer.start(directory)) {
            String uri = server.newDatabase();
            try (SemelEngine semel = SemelEngine.on(Stores.open(uri)).build();
                    HikariDataSource application = Uris.mysql(uri).dataSource()) {
                UnknownOutcome outcome = new UnknownOutcome(semel, application);
                outcome.isNotRecordedWhile(server::kill);
                server.restart();
                outcome.isRecordedNowAndNotExecutedAgain();
            }
        }
    }

    private static long claimWhenBack(Store store, String key) {
        ClaimAnswer.Granted granted = (ClaimAnswer.Granted) Awaitility.await()
                .ignoreExceptions()
                .atMost(Duration.ofMinutes(1))
                .until(() -> await(store.claim(request(key))), Objects::nonNull);
        return granted.lease().fence();
    }

    /** The fence of a record that is not there any more; neither table has a row. */
    private static long prunedFence(Store store) {
        Lease lease = ((ClaimAnswer.Granted) await(store.claim(request("k")))).lease();
        await(store.settle(lease, completed("done"), Duration.ZERO));
        assertThat(store.prune(10, Expiry.DELETE)).isEqualTo(1);
        assertThat(await(store.find(id("k")))).isEmpty();
        return lease.fence();
    }

    private static void pay(Store store, String name, Queue<Lease> confirmed, AtomicBoolean down) {
        for (int i = 0; !down.get(); i++) {
            try {
                if (await(store.claim(request(name + i))) instanceof ClaimAnswer.Granted granted
                        && await(store.settle(granted.lease(), completed("done"), RETENTION))
                                instanceof SettleAnswer.Settled) {
                    confirmed.add(granted.lease());
                }
            } catch (CompletionException e) {
                // The server is gone: nothing was confirmed.
                Thread.onSpinWait();
            }
        }
    }
}
