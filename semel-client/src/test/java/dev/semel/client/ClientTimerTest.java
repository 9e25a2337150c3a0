package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The timer of a client")
@Timeout(60)
class ClientTimerTest {

    private static final Duration SHORT = Duration.ofMillis(1);

    @Test
    void runs_a_task_on_the_executor() throws Exception {
        AtomicInteger executed = new AtomicInteger();
        ClientTimer timer = new ClientTimer(
                task -> {
                    executed.incrementAndGet();
                    task.run();
                },
                SHORT);
        CompletableFuture<Void> ran = new CompletableFuture<>();
        timer.after(SHORT, () -> ran.complete(null));
        ran.get(30, TimeUnit.SECONDS);
        assertThat(executed).hasValue(1);
    }

    @Test
    void runs_no_cancelled_task() throws Exception {
        ClientTimer timer = new ClientTimer(Runnable::run, SHORT);
        AtomicInteger cancelled = new AtomicInteger();
        CompletableFuture<Void> later = new CompletableFuture<>();
        timer.after(Duration.ofMillis(50), cancelled::incrementAndGet).cancel();
        timer.after(Duration.ofMillis(60), () -> later.complete(null));
        later.get(30, TimeUnit.SECONDS);
        assertThat(cancelled).hasValue(0);
    }

    @Test
    void has_one_named_daemon_thread_that_ends_when_it_is_idle() throws Exception {
        ClientTimer timer = new ClientTimer(Runnable::run, SHORT);
        CompletableFuture<Thread> used = new CompletableFuture<>();
        timer.after(SHORT, () -> used.complete(Thread.currentThread()));
        Thread thread = used.get(30, TimeUnit.SECONDS);
        assertThat(thread.getName()).isEqualTo("semel-client-timer");
        assertThat(thread.isDaemon()).isTrue();
        thread.join();

        CompletableFuture<Void> again = new CompletableFuture<>();
        timer.after(SHORT, () -> again.complete(null));
        again.get(30, TimeUnit.SECONDS);
    }

    @Test
    void keeps_its_thread_while_a_task_is_pending() throws Exception {
        ClientTimer timer = new ClientTimer(Runnable::run, Duration.ofNanos(1));
        CompletableFuture<Void> ran = new CompletableFuture<>();
        timer.after(Duration.ofMillis(100), () -> ran.complete(null));
        ran.get(30, TimeUnit.SECONDS);
    }
}
