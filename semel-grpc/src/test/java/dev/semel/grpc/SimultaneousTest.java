package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("64 duplicates at once")
class SimultaneousTest {

    private static final int DUPLICATES = 64;

    private static ShopServer.Handler numbering() {
        AtomicInteger number = new AtomicInteger();
        return (request, answer) -> {
            answer.onNext(Shop.bytes("payment " + number.incrementAndGet()));
            answer.onCompleted();
        };
    }

    private static List<Answer> allAtOnce(ShopServer server, String key) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(DUPLICATES);
        CyclicBarrier start = new CyclicBarrier(DUPLICATES);
        try {
            List<Future<CompletableFuture<Answer>>> sent = new ArrayList<>();
            for (int i = 0; i < DUPLICATES; i++) {
                sent.add(pool.submit(() -> {
                    start.await();
                    return server.send(Shop.CHARGE, ShopServer.key(key), "100 EUR");
                }));
            }
            List<Answer> answers = new ArrayList<>();
            for (Future<CompletableFuture<Answer>> each : sent) {
                answers.add(each.get().get());
            }
            return answers;
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void i1_execute_once_and_the_others_are_replayed_or_told_to_come_again() throws Exception {
        try (ShopServer server = ShopServer.of(numbering())) {
            for (int round = 1; round <= 5; round++) {
                for (Answer answer : allAtOnce(server, "k" + round)) {
                    if (answer.code() == Status.Code.OK) {
                        assertThat(answer.text()).isEqualTo("payment " + round);
                    } else {
                        answer.assertRefused(RefusalCode.IDEMPOTENCY_KEY_IN_PROGRESS);
                    }
                }
                assertThat(server.executions).hasValue(round);
            }
        }
    }

    @Test
    void that_wait_all_get_the_same_answer() throws Exception {
        ShopServer.Settings settings =
                ShopServer.settings().operation(operation -> operation.waitUpTo(Duration.ofSeconds(30)));
        try (ShopServer server = settings.start(numbering())) {
            List<Answer> answers = allAtOnce(server, "k");

            assertThat(answers)
                    .extracting(Answer::essence)
                    .containsOnly(answers.get(0).essence());
            assertThat(answers).extracting(Answer::text).containsOnly("payment 1");
            assertThat(answers).filteredOn(answer -> !answer.replayed()).hasSize(1);
            assertThat(server.executions).hasValue(1);
        }
    }
}
