package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A client whose every second answer is lost")
class LostAnswersTest {

    private static final int PAYMENTS = 200;

    @Test
    void makes_each_payment_once_and_reports_it_once() {
        PaymentServer payments = new PaymentServer();
        AtomicInteger answers = new AtomicInteger();
        try (TestServer server = new TestServer()) {
            server.otherwise(exchange -> {
                TestServer.Behaviour answer = payments.execute(exchange);
                boolean lost = answers.incrementAndGet() % 2 == 0;
                (lost ? TestServer.loseAnswer() : answer).handle(exchange);
            });
            IdempotentClient client = IdempotentClient.over(HttpClient.newHttpClient())
                    .retrying(RetryPolicy.DEFAULT.firstDelay(Duration.ofMillis(1)))
                    .build();

            List<Result<String>> results = IntStream.range(0, PAYMENTS)
                    .mapToObj(i -> client.sendAsync(server.post("{\"payment\":" + i + "}"), BodyHandlers.ofString()))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();

            assertThat(results).hasSize(PAYMENTS).allMatch(Result.Answered.class::isInstance);
            assertThat(payments.effects())
                    .hasSize(PAYMENTS)
                    .containsExactlyInAnyOrderElementsOf(
                            results.stream().map(Result::key).toList());
            assertThat(results.stream().map(result -> ((Result.Answered<String>) result).body()))
                    .doesNotHaveDuplicates();
            // Not every repeated request is a replay: the first request itself may have been lost.
            assertThat(results)
                    .filteredOn(result -> ((Result.Answered<String>) result).replayed())
                    .isNotEmpty()
                    .allMatch(result -> result.attempts() > 1);
        }
    }
}
