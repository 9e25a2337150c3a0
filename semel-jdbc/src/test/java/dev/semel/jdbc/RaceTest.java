package dev.semel.jdbc;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.Store;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.servers.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("I1: 64 threads on a few keys, through two stores")
class RaceTest {

    private static final int THREADS = 64;
    private static final int KEYS = 5;

    @TempDir
    Path directory;

    @Test
    void postgresql_grants_each_key_once() throws Exception {
        String uri = PostgresServer.shared().newDatabase() + "?poolSize=16";
        try (Store one = Stores.open(uri);
                Store two = Stores.open(uri)) {
            assertEachKeyExecutesOnce(one, two);
        }
    }

    @Test
    void mariadb_grants_each_key_once() throws Exception {
        String uri = MariadbServer.shared().newDatabase() + "?poolSize=16";
        try (Store one = Stores.open(uri);
                Store two = Stores.open(uri)) {
            assertEachKeyExecutesOnce(one, two);
        }
    }

    @Test
    void sqlite_grants_each_key_once() throws Exception {
        String uri = "sqlite:" + directory.resolve("race.db");
        try (Store one = Stores.open(uri);
                Store two = Stores.open(uri)) {
            assertEachKeyExecutesOnce(one, two);
        }
    }

    private static void assertEachKeyExecutesOnce(Store one, Store two) throws Exception {
        AtomicIntegerArray executions = new AtomicIntegerArray(KEYS);
        CyclicBarrier together = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Integer>> done = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Store store = thread % 2 == 0 ? one : two;
                int first = thread;
                done.add(threads.submit(() -> {
                    together.await(1, TimeUnit.MINUTES);
                    int replays = 0;
                    for (int i = 0; i < KEYS; i++) {
                        replays += untilRecorded(store, (first + i) % KEYS, executions);
                    }
                    return replays;
                }));
            }
            for (Future<Integer> each : done) {
                assertThat(each.get(2, TimeUnit.MINUTES)).isEqualTo(KEYS);
            }
        } finally {
            threads.shutdownNow();
        }
        for (int key = 0; key < KEYS; key++) {
            assertThat(executions.get(key)).as("executions of key %d", key).isEqualTo(1);
        }
    }

    private static int untilRecorded(Store store, int key, AtomicIntegerArray executions) {
        while (true) {
            ClaimAnswer answer = await(store.claim(request("key-" + key)));
            if (answer instanceof ClaimAnswer.Recorded) {
                return 1;
            }
            if (answer instanceof ClaimAnswer.Granted granted) {
                executions.incrementAndGet(key);
                assertThat(await(store.settle(granted.lease(), completed("done"), RETENTION)))
                        .isInstanceOf(SettleAnswer.Settled.class);
            } else {
                assertThat(answer).isInstanceOf(ClaimAnswer.Busy.class);
            }
        }
    }
}
