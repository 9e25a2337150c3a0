package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The timer of an engine in production")
@Timeout(120)
class SystemTimerTest {

    private final ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();

    @Test
    void runs_what_is_due_later_and_not_what_was_cancelled() throws InterruptedException {
        CountDownLatch due = new CountDownLatch(2);
        AtomicBoolean cancelled = new AtomicBoolean();
        try (SystemTimer timer = new SystemTimer()) {
            timer.after(Duration.ofMillis(2_600), due::countDown);
            timer.after(Duration.ofMillis(1_800), due::countDown);
            timer.after(Duration.ofMillis(1_700), () -> ran.add("cancelled at once"))
                    .cancel();
            Timer.Cancellable given = timer.after(Duration.ofMillis(1_900), () -> {
                if (cancelled.get()) {
                    ran.add("cancelled when a watch had given it to the executor");
                }
            });
            timer.after(Duration.ofMillis(1_300), () -> {
                given.cancel();
                cancelled.set(true);
            });

            assertThat(due.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(cancelled).isTrue();
        assertThat(ran).isEmpty();
    }

    @Test
    void watches_again_after_it_had_nothing_to_wait_for() throws InterruptedException {
        try (SystemTimer timer = new SystemTimer()) {
            for (int i = 0; i < 2; i++) {
                CountDownLatch done = new CountDownLatch(1);
                timer.after(Duration.ofMillis(1_100), done::countDown);
                assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void runs_nothing_after_it_is_closed() throws InterruptedException {
        CountDownLatch other = new CountDownLatch(1);
        try (SystemTimer timer = new SystemTimer();
                SystemTimer open = new SystemTimer()) {
            timer.after(Duration.ofMillis(1_100), () -> ran.add("after its end"));
            open.after(Duration.ofMillis(1_900), other::countDown);
            timer.close();
            assertThat(other.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(ran).isEmpty();
    }
}
