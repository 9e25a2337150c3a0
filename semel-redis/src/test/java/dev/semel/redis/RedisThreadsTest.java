package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Redis: the threads of a store")
class RedisThreadsTest {

    private static Set<Thread> running() {
        return Thread.getAllStackTraces().keySet();
    }

    @Test
    @DisplayName("are daemons, are named by their purpose, and end when the store is closed")
    void named_daemons_that_end() {
        try (RedisServer server = RedisServer.start()) {
            Set<Thread> before = running();
            Set<Thread> started;
            try (RedisStore store = RedisStore.open(server.uri() + "?timeoutMillis=30000")) {
                server.pause();
                CompletionStage<String> dependent = store.claim(StoreVerbs.request("k"))
                        .thenApply(answer -> Thread.currentThread().getName());
                server.resume();
                assertThat(StoreVerbs.await(dependent)).startsWith("semel-redis-callback-");
                started = running().stream()
                        .filter(thread -> !before.contains(thread))
                        .filter(thread -> thread.getName().matches("(semel|lettuce|netty).*"))
                        .collect(Collectors.toSet());
            }
            assertThat(started)
                    .allMatch(Thread::isDaemon)
                    .extracting(thread -> thread.getName().replaceAll("[-0-9]+$", ""))
                    .contains("semel-redis-io", "semel-redis-callback")
                    .isSubsetOf(
                            Set.of("semel-redis-io", "semel-redis-tasks", "semel-redis-timer", "semel-redis-callback"));
            Calls.await("the threads to end", () -> started.stream().noneMatch(Thread::isAlive));
        }
    }
}
