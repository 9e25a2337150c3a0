package dev.semel.http.servlet;

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
class SimultaneousTest {

    private static final int DUPLICATES = 64;

    @Test
    void i1_simultaneous_duplicates_execute_once_and_the_others_get_409_with_retry_after() throws Exception {
        try (TestServer server = TestServer.protecting(SimultaneousTest::create)) {
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
    void duplicates_that_wait_all_get_the_same_bytes() throws Exception {
        TestServer.Settings settings = TestServer.settings()
                .route("*", "*", Operation.named("create-payment").waitUpTo(Duration.ofSeconds(30)), policy -> policy);
        try (TestServer server = settings.start(SimultaneousTest::create)) {
            List<Wire.Reply> replies = allAtOnce(server, "k");

            assertThat(replies).extracting(Wire.Reply::status).containsOnly(201);
            assertThat(replies.stream().map(Wire.Reply::essence).distinct()).hasSize(1);
            assertThat(replies).filteredOn(reply -> !reply.replayed()).hasSize(1);
            assertThat(server.executions).hasValue(1);
        }
    }

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static void create(
            jakarta.servlet.http.HttpServletRequest request, jakarta.servlet.http.HttpServletResponse response)
            throws Exception {
        response.setStatus(201);
        response.setContentType("application/json");
        response.getWriter().print("{\"id\":" + NUMBER.incrementAndGet() + "}");
    }

    private static List<Wire.Reply> allAtOnce(TestServer server, String key) throws Exception {
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
