package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The timer of a servlet filter")
class TimeLimitsTest {

    private final TimeLimits limits = new TimeLimits();

    private Thread threadOfATask() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        limits.after(Duration.ofMillis(1), () -> ran.complete(Thread.currentThread()));
        return ran.join();
    }

    @Test
    void runs_tasks_on_a_daemon_thread_with_its_name() {
        Thread thread = threadOfATask();

        assertThat(thread.getName()).isEqualTo("semel-http-timer");
        assertThat(thread.isDaemon()).isTrue();
        limits.close();
    }

    @Test
    void ends_its_threads_and_drops_its_tasks_with_the_filter() {
        AtomicBoolean late = new AtomicBoolean();
        limits.after(Duration.ofHours(1), () -> late.set(true));
        Thread thread = threadOfATask();

        limits.close();

        Awaitility.await().until(() -> !thread.isAlive());
        assertThat(late).isFalse();
    }

    @Test
    void starts_again_with_a_filter_that_is_used_after_its_end() {
        limits.close();

        assertThat(threadOfATask().isAlive()).isTrue();
        limits.close();
    }
}
