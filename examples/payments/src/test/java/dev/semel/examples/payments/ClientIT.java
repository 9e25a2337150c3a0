package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.client.ClientIntent;
import dev.semel.client.IdempotentClient;
import dev.semel.client.Result;
import dev.semel.client.RetryPolicy;
import dev.semel.examples.payments.provider.Provider;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The client against the payments application")
class ClientIT {

    private static final int PAYMENTS = 1_000;
    private static final int CALLERS = 16;

    @TempDir
    Path directory;

    @Test
    void makes_each_payment_once_and_reports_it_once_when_every_second_response_is_lost() throws Exception {
        Books books = new Books(directory.resolve("provider"));
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try (Provider provider = Provider.start(0, books.providerDirectory());
                Service service = Service.start("sqlite:" + directory.resolve("semel.db"), provider.uri());
                LosingProxy proxy = LosingProxy.before(service.api().base())) {
            Api api = Api.acme(proxy.uri());
            IdempotentClient client = client();

            List<Future<Result<String>>> sent = IntStream.range(0, PAYMENTS)
                    .mapToObj(i -> callers.submit(() -> client.send(payment(api), BodyHandlers.ofString())))
                    .toList();

            List<Result.Answered<String>> answers =
                    sent.stream().map(ClientIT::answered).toList();
            assertThat(answers).hasSize(PAYMENTS).allMatch(answer -> answer.status() == 201);
            assertThat(answers.stream().map(Result::key)).doesNotHaveDuplicates();
            assertThat(answers.stream().map(Result.Answered::body)).doesNotHaveDuplicates();
            assertThat(books.charges()).isEqualTo(PAYMENTS);
            assertThat(proxy.lost()).isGreaterThan(PAYMENTS / 2);
            assertThat(answers.stream().filter(Result.Answered::replayed)).hasSizeGreaterThan(PAYMENTS / 4);
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void waits_for_the_first_of_two_requests_with_one_key() throws Exception {
        Books books = new Books(directory.resolve("provider"));
        try (Provider provider = Provider.start(0, books.providerDirectory());
                Service service = Service.start("memory:", provider.uri())) {
            HttpRequest slow = service.api()
                    .request("POST", "/payments", null, Api.order("pm_slow"))
                    .build();
            ClientIntent intent = ClientIntent.of(slow).withKey("k1");
            IdempotentClient client = client();

            List<Result.Answered<String>> answers =
                    IntStream.range(0, 2)
                            .mapToObj(i -> client.sendAsync(intent, BodyHandlers.ofString()))
                            .toList()
                            .stream()
                            .map(ClientIT::answered)
                            .toList();

            assertThat(answers).extracting(Result.Answered::status).containsOnly(201);
            assertThat(answers)
                    .extracting(Result.Answered::body)
                    .containsOnly(answers.get(0).body());
            assertThat(answers).extracting(Result.Answered::replayed).containsExactlyInAnyOrder(true, false);
            assertThat(books.charges()).isEqualTo(1);
        }
    }

    private static IdempotentClient client() {
        return IdempotentClient.over(HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build())
                .retrying(RetryPolicy.DEFAULT.firstDelay(Duration.ofMillis(5)))
                .build();
    }

    private static HttpRequest payment(Api api) {
        return api.request("POST", "/payments", null, Api.ORDER).build();
    }

    private static Result.Answered<String> answered(Future<Result<String>> sent) {
        try {
            return sent.get().orElseThrow();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
