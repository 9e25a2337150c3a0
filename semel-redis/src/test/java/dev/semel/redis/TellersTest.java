package dev.semel.redis;

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

@DisplayName("Tellers")
@Timeout(300)
class TellersTest {

    private final Tellers tellers = new Tellers();

    @AfterEach
    void close() {
        tellers.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("what blocks on something behind it in the queue holds up nobody")
    void who_blocks_is_overtaken() {
        int blocking = 20;
        CountDownLatch behind = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(blocking);
        for (int i = 0; i < blocking; i++) {
            tellers.execute(() -> {
                await(behind);
                done.countDown();
            });
        }
        tellers.execute(behind::countDown);
        await(done);
    }

    @Test
    @DisplayName("everything is run once, whoever brings it")
    void everything_is_run_once() throws Exception {
        int bringers = 4;
        int each = 20_000;
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(bringers * each);
        Set<Thread> threads = new HashSet<>();
        for (int bringer = 0; bringer < bringers; bringer++) {
            int first = bringer * each;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    int number = first + i;
                    tellers.execute(() -> {
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
        assertThat(seen).hasSize(bringers * each);
        assertThat(runs).hasValue(bringers * each);
    }

    @Test
    @DisplayName("a lone task is run, again and again")
    void lone_tasks_are_run() {
        for (int i = 0; i < 2_000; i++) {
            CountDownLatch done = new CountDownLatch(1);
            tellers.execute(done::countDown);
            await(done);
        }
    }

    @Test
    @DisplayName("what fails does not keep the next from being run")
    void failures_hold_up_nobody() {
        CountDownLatch done = new CountDownLatch(1);
        tellers.execute(() -> {
            throw new AssertionError("as somebody's code may");
        });
        tellers.execute(done::countDown);
        await(done);
    }

    @Test
    @DisplayName("after closing, the last answers are told by whoever brings them")
    void the_last_are_told() {
        tellers.close();
        AtomicInteger told = new AtomicInteger();
        tellers.execute(told::incrementAndGet);
        assertThat(told).hasValue(1);
    }
}
