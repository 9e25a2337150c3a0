package dev.semel.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The callback executor")
@Timeout(300)
class CallbackExecutorTest {

    private final CallbackExecutor executor = new CallbackExecutor();

    @AfterEach
    void close() {
        executor.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("runs a task that other tasks before it in the queue wait for")
    void blocked_tasks_are_overtaken() {
        int blocking = 20;
        CountDownLatch behind = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(blocking);
        for (int i = 0; i < blocking; i++) {
            executor.execute(() -> {
                await(behind);
                done.countDown();
            });
        }
        executor.execute(behind::countDown);
        await(done);
    }

    @Test
    @DisplayName("runs every task once, from whichever thread it was added")
    void every_task_runs_once() throws Exception {
        int adders = 4;
        int each = 20_000;
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(adders * each);
        Set<Thread> threads = new HashSet<>();
        for (int adder = 0; adder < adders; adder++) {
            int first = adder * each;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    int number = first + i;
                    executor.execute(() -> {
                        seen.add(number);
                        runs.incrementAndGet();
                        done.countDown();
                    });
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        await(done);
        assertThat(seen).hasSize(adders * each);
        assertThat(runs).hasValue(adders * each);
    }

    @Test
    @DisplayName("runs a lone task, again and again")
    void lone_tasks_run() {
        for (int i = 0; i < 2_000; i++) {
            CountDownLatch done = new CountDownLatch(1);
            executor.execute(done::countDown);
            await(done);
        }
    }

    @Test
    @DisplayName("runs the next task after one that failed")
    void failures_do_not_stop_others() {
        CountDownLatch done = new CountDownLatch(1);
        executor.execute(() -> {
            throw new AssertionError("a bug in a caller's code");
        });
        executor.execute(done::countDown);
        await(done);
    }

    @Test
    @DisplayName("runs tasks on the adding thread after it was closed")
    void tasks_after_close() {
        executor.close();
        AtomicInteger ran = new AtomicInteger();
        executor.execute(ran::incrementAndGet);
        assertThat(ran).hasValue(1);
    }
}
