package dev.semel.items;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pause before a call is repeated")
class PausesTest {

    @Test
    @DisplayName("ends on a daemon thread of the store, not on a thread that the whole process shares")
    void thread() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        new Pauses().after(1, () -> ran.complete(Thread.currentThread()));

        Thread thread = ran.join();
        assertThat(thread.getName()).isEqualTo("semel-store-retry");
        assertThat(thread.isDaemon()).isTrue();
    }
}
