package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.testsupport.http.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many duplicates at once. */
public interface SimultaneousContract extends OnTransport {

    int DUPLICATES = 64;

    @Test
    default void i1_simultaneous_duplicates_execute_once_and_the_others_get_409_with_retry_after() throws Exception {
        try (ContractServer server = protecting(creating())) {
            for (int round = 0; round < 5; round++) {
                int before = server.executions.get();
                for (Wire.Reply reply : allAtOnce(server, "k" + round)) {
                    assertThat(reply.status()).isIn(201, 409);
                    if (reply.status() == 409) {
                        assertThat(reply.text()).contains("idempotency_key_in_progress");
                        assertThat(reply.all("Retry-After")).hasSize(1);
                    }
                }
                assertThat(server.executions.get() - before).isEqualTo(1);
            }
        }
    }

    @Test
    default void duplicates_that_wait_all_get_the_same_bytes() throws Exception {
        ContractServer.Settings settings = settings()
                .route("*", "*", Operation.named("create-payment").waitUpTo(Duration.ofSeconds(30)), policy -> policy);
        try (ContractServer server = settings.start(creating())) {
            List<Wire.Reply> replies = allAtOnce(server, "k");

            assertThat(replies).extracting(Wire.Reply::status).containsOnly(201);
            assertThat(replies.stream().map(Wire.Reply::essence).distinct()).hasSize(1);
            assertThat(replies).filteredOn(reply -> !reply.replayed()).hasSize(1);
            assertThat(server.executions).hasValue(1);
        }
    }

    private static Call.Handler creating() {
        AtomicInteger number = new AtomicInteger();
        return call -> {
            call.status(201);
            call.header("Content-Type", "application/json");
            call.print("{\"id\":" + number.incrementAndGet() + "}");
        };
    }

    private static List<Wire.Reply> allAtOnce(ContractServer server, String key) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(DUPLICATES);
        CyclicBarrier start = new CyclicBarrier(DUPLICATES);
        try {
            List<Future<Wire.Reply>> futures = new ArrayList<>();
            for (int i = 0; i < DUPLICATES; i++) {
                futures.add(pool.submit(() -> {
                    start.await();
                    return server.pay(key);
                }));
            }
            List<Wire.Reply> replies = new ArrayList<>();
            for (Future<Wire.Reply> future : futures) {
                replies.add(future.get());
            }
            return replies;
        } finally {
            pool.shutdownNow();
        }
    }
}
