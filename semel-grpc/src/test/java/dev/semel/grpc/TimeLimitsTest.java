package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The timer of a gRPC interceptor")
class TimeLimitsTest {

    @Test
    void runs_tasks_on_a_daemon_thread_with_its_name() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        ScheduledFuture<?> unused =
                new TimeLimits().after(Duration.ofMillis(1), () -> ran.complete(Thread.currentThread()));

        Thread thread = ran.join();
        assertThat(thread.getName()).isEqualTo("semel-grpc-timer");
        assertThat(thread.isDaemon()).isTrue();
    }
}
