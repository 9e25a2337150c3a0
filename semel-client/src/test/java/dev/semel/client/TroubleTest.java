package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.client.Result.Reason;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A client and failures")
class TroubleTest {

    private static final Duration MOMENT = Duration.ofMillis(200);

    private final TestServer server = new TestServer();
    private final QuickTime time = new QuickTime();

    @AfterEach
    void stop() {
        server.close();
    }

    private IdempotentClientBuilder client() {
        return IdempotentClient.over(HttpClient.newHttpClient()).time(time);
    }

    private static Result.GaveUp<String> gaveUp(Result<String> result) {
        assertThat(result).isInstanceOf(Result.GaveUp.class);
        return (Result.GaveUp<String>) result;
    }

    @Test
    void repeats_a_request_whose_answer_was_lost() throws GaveUpException {
        server.then(TestServer.loseAnswer())
                .then(TestServer.breakOff(201, "text/plain", "a long answer"))
                .then(TestServer.breakOff(409, "application/json", "{\"code\":\"name_taken\"}"))
                .then(201, "text/plain", "a long answer", "Idempotency-Replayed", "true");

        Result.Answered<String> answer =
                client().build().send(server.payment(), BodyHandlers.ofString()).orElseThrow();

        assertThat(answer.attempts()).isEqualTo(4);
        assertThat(answer.replayed()).isTrue();
        assertThat(answer.outcomeUnknown()).isFalse();
        assertThat(server.keys()).containsExactly(answer.key());
    }

    @Test
    void repeats_a_request_that_takes_too_long() throws GaveUpException {
        server.then(TestServer.hang())
                .then(exchange -> exchange.sendResponseHeaders(201, 10))
                .otherwise(TestServer.answer(201, "text/plain", "done"));
        IdempotentClient client =
                client().retrying(RetryPolicy.DEFAULT.attemptTimeout(MOMENT)).build();

        Result.Answered<String> answer =
                client.send(server.payment(), BodyHandlers.ofString()).orElseThrow();

        assertThat(answer.body()).isEqualTo("done");
        assertThat(answer.attempts()).isGreaterThanOrEqualTo(3);
        assertThat(server.keys()).containsExactly(answer.key());
    }

    @Test
    void respects_the_timeout_of_the_request() throws GaveUpException {
        server.then(TestServer.hang()).otherwise(TestServer.answer(201, "text/plain", "done"));
        HttpRequest request = HttpRequest.newBuilder(server.uri("/payments"))
                .timeout(MOMENT)
                .POST(BodyPublishers.noBody())
                .build();

        assertThat(client().build()
                        .send(request, BodyHandlers.ofString())
                        .orElseThrow()
                        .attempts())
                .isGreaterThanOrEqualTo(2);
    }

    @Test
    void gives_up_at_the_deadline_and_returns_the_key_to_keep() {
        server.otherwise(TestServer.loseAnswer());

        Result.GaveUp<String> result =
                gaveUp(client().build().send(ClientIntent.of(server.payment()).withKey("k1"), BodyHandlers.ofString()));

        assertThat(result.reason()).isEqualTo(Reason.DEADLINE);
        assertThat(result.outcomeUnknown()).isTrue();
        assertThat(result.key()).isEqualTo("k1");
        assertThat(result.attempts())
                .isGreaterThan(5)
                .isEqualTo(server.received().size());
        assertThat(result.last()).get().isInstanceOf(Setback.Failure.class);
        assertThat(time.nanos()).isLessThan(RetryPolicy.DEFAULT_DEADLINE.toNanos());
        assertThatThrownBy(result::orElseThrow)
                .isInstanceOf(GaveUpException.class)
                .hasMessageContaining("keep the key k1")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void gives_up_when_the_deadline_passes_during_an_attempt() {
        server.otherwise(TestServer.hang());
        IdempotentClient client = IdempotentClient.over(HttpClient.newHttpClient())
                .retrying(RetryPolicy.DEFAULT.deadline(Duration.ofSeconds(1)))
                .build();

        Result.GaveUp<String> result = gaveUp(client.send(server.payment(), BodyHandlers.ofString()));

        assertThat(result.reason()).isEqualTo(Reason.DEADLINE);
        assertThat(result.outcomeUnknown()).isTrue();
        assertThat(result.attempts()).isEqualTo(1);
        assertThat(((Setback.Failure) result.last().orElseThrow()).cause()).isInstanceOf(HttpTimeoutException.class);
    }

    @Test
    void gives_up_at_once_when_retry_after_exceeds_the_deadline() {
        server.otherwise(TestServer.answer(503, "text/plain", "", "Retry-After", "99999999999999999999"));

        Result.GaveUp<String> result = gaveUp(client().build().send(server.payment(), BodyHandlers.ofString()));

        assertThat(result.reason()).isEqualTo(Reason.ASKED_TO_WAIT_TOO_LONG);
        assertThat(result.outcomeUnknown()).isTrue();
        assertThat(result.attempts()).isEqualTo(1);
        assertThat(time.pauses()).isEmpty();
    }

    @Test
    void waits_as_long_as_retry_after_and_little_longer() throws GaveUpException {
        server.then(503, "text/plain", "", "Retry-After", "7")
                .then(429, "text/plain", "", "Retry-After", "Thu, 01 Jan 1970 00:00:00 GMT")
                .then(503, "text/plain", "", "Retry-After", "0")
                .then(200, "text/plain", "");

        client().build().send(server.payment(), BodyHandlers.ofString()).orElseThrow();

        List<Duration> pauses = time.pauses();
        assertThat(pauses).hasSize(3);
        assertThat(pauses.get(0)).isBetween(Duration.ofSeconds(7), Duration.ofMillis(7250));
        assertThat(pauses.get(1)).isBetween(Duration.ZERO, Duration.ofMillis(500));
        assertThat(pauses.get(2)).isBetween(Duration.ZERO, Duration.ofSeconds(1));
    }

    @Test
    void is_certain_that_nothing_was_executed_when_no_server_listened() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/payments"))
                .POST(BodyPublishers.noBody())
                .build();

        Result.GaveUp<String> result = gaveUp(client().build().send(request, BodyHandlers.ofString()));

        assertThat(result.attempts()).isGreaterThan(5);
        assertThat(result.outcomeUnknown()).isFalse();
        assertThat(((Setback.Failure) result.last().orElseThrow()).cause()).isInstanceOf(ConnectException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "429, rate_limited, false",
        "425, too_early, false",
        "503, idempotency_not_executed, false",
        "503, idempotency_store_unavailable, true",
        "409, idempotency_key_in_progress, true",
        "409, idempotency_outcome_unknown, true",
    })
    void recognizes_refusals_that_prove_that_nothing_was_executed(int status, String code, boolean unknown) {
        server.otherwise(TestServer.answer(status, "application/problem+json", TestServer.problem(code)));

        Result.GaveUp<String> result = gaveUp(client().build().send(server.payment(), BodyHandlers.ofString()));

        assertThat(result.outcomeUnknown()).isEqualTo(unknown);
        assertThat(result.last()).get().hasToString("status " + status + " " + code);
    }

    @Test
    void keeps_a_doubt() {
        server.then(TestServer.loseAnswer()).otherwise(TestServer.answer(429, "text/plain", ""));

        assertThat(gaveUp(client().build().send(server.payment(), BodyHandlers.ofString()))
                        .outcomeUnknown())
                .isTrue();
    }

    @Test
    void stops_when_it_is_interrupted_during_an_attempt() {
        server.otherwise(TestServer.hang());

        Result.GaveUp<String> result = interruptedWhen(() -> server.received().size() == 1);

        assertThat(result.outcomeUnknown()).isTrue();
        assertThat(result.attempts()).isEqualTo(1);
        assertThat(server.keys()).containsExactly(result.key());
    }

    @Test
    void stops_when_it_is_interrupted_between_two_attempts() {
        server.otherwise(TestServer.answer(429, "text/plain", ""));
        time.makePausesEndless();

        Result.GaveUp<String> result = interruptedWhen(() -> !time.pauses().isEmpty());

        assertThat(result.outcomeUnknown()).isFalse();
        assertThat(result.attempts()).isEqualTo(1);
        assertThat(result.last()).get().hasToString("status 429");
    }

    @Test
    void sends_nothing_when_it_is_interrupted_before_the_first_attempt() {
        Result.GaveUp<String> result = interruptedWhen(null);

        assertThat(result.outcomeUnknown()).isFalse();
        assertThat(result.attempts()).isZero();
        assertThat(server.received()).isEmpty();
    }

    @Test
    void never_reports_an_executed_request_as_not_executed_when_it_is_interrupted() throws InterruptedException {
        PaymentServer payments = new PaymentServer();
        server.otherwise(payments);
        IdempotentClient client = client().build();
        SplittableRandom random = new SplittableRandom(3);
        List<Result<String>> results = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 300; i++) {
            Thread thread = new Thread(() -> results.add(client.send(server.payment(), BodyHandlers.ofString())));
            thread.start();
            int moment = random.nextInt(200_000);
            for (int spun = 0; spun < moment; spun++) {
                Thread.onSpinWait();
            }
            thread.interrupt();
            thread.join();
        }
        server.close();

        assertThat(results).hasSize(300);
        List<String> denied = results.stream()
                .filter(result -> result instanceof Result.GaveUp && !result.outcomeUnknown())
                .map(Result::key)
                .toList();
        assertThat(payments.effects()).doesNotContainAnyElementsOf(denied.isEmpty() ? List.of("none") : denied);
        assertThat(payments.effects()).doesNotHaveDuplicates();
    }

    private Result.GaveUp<String> interruptedWhen(Callable<Boolean> condition) {
        AtomicReference<Result<String>> result = new AtomicReference<>();
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            if (condition == null) {
                Thread.currentThread().interrupt();
            }
            result.set(client().build().send(server.payment(), BodyHandlers.ofString()));
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        thread.start();
        if (condition != null) {
            await().atMost(Duration.ofMinutes(2)).until(condition);
            thread.interrupt();
        }
        await().atMost(Duration.ofMinutes(2)).until(() -> interrupted.get() != null);
        assertThat(interrupted.get()).isTrue();
        Result.GaveUp<String> gaveUp = gaveUp(result.get());
        assertThat(gaveUp.reason()).isEqualTo(Reason.INTERRUPTED);
        return gaveUp;
    }

    @Test
    void gives_up_at_once_when_the_program_itself_fails() {
        server.otherwise(TestServer.answer(201, "text/plain", "done"));
        BodyHandler<String> broken = info -> {
            throw new IllegalStateException("a bug");
        };

        Result.GaveUp<String> result = gaveUp(client().build().send(server.payment(), broken));

        assertThat(result.reason()).isEqualTo(Reason.FAULT);
        assertThat(result.outcomeUnknown()).isTrue();
        assertThat(((Setback.Failure) result.last().orElseThrow()).cause()).hasMessageContaining("a bug");
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void gives_up_at_once_when_its_rule_fails() {
        server.otherwise(TestServer.answer(409, "application/json", "{}"));
        IdempotentClient client = client().retryRule(reply -> {
                    throw new IllegalStateException("a bug");
                })
                .build();

        assertThat(gaveUp(client.send(server.payment(), BodyHandlers.ofString()))
                        .reason())
                .isEqualTo(Reason.FAULT);
    }

    @Test
    void ends_even_when_its_clock_fails() {
        server.otherwise(TestServer.answer(503, "text/plain", ""));
        ClientTime broken = new ClientTime() {
            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public Instant now() {
                return time.now();
            }

            @Override
            public Pause pause(Duration length, Runnable then) {
                throw new IllegalStateException("a bug");
            }
        };

        Result.GaveUp<String> result =
                gaveUp(client().time(broken).build().send(server.payment(), BodyHandlers.ofString()));

        assertThat(result.reason()).isEqualTo(Reason.FAULT);
        assertThat(result.outcomeUnknown()).isTrue();
    }

    @Test
    void calls_the_listener_and_ignores_its_exceptions() throws GaveUpException {
        server.thenProblem(409, "idempotency_key_in_progress", "Retry-After", "2")
                .then(201, "text/plain", "");
        List<String> calls = new ArrayList<>();
        IdempotentClient client = client().onRetry((key, attempts, setback, pause) -> {
                    calls.add(attempts + " " + setback);
                    throw new IllegalStateException("a bug");
                })
                .build();

        client.send(server.payment(), BodyHandlers.ofString()).orElseThrow();

        assertThat(calls).containsExactly("1 status 409 idempotency_key_in_progress");
    }

    @Test
    void sends_without_blocking() {
        server.then(503, "text/plain", "").then(TestServer.loseAnswer()).then(201, "text/plain", "done");

        CompletableFuture<Result<String>> future =
                client().build().sendAsync(server.payment(), BodyHandlers.ofString());

        assertThat(future.join()).isInstanceOfSatisfying(Result.Answered.class, answer -> {
            assertThat(answer.body()).isEqualTo("done");
            assertThat(answer.attempts()).isEqualTo(3);
        });
    }

    @Test
    void blocks_no_thread_between_two_attempts() {
        int intents = 100;
        server.otherwise(TestServer.answer(503, "text/plain", "", "Retry-After", "60"));
        AtomicInteger pausing = new AtomicInteger();
        ExecutorService twoThreads = Executors.newFixedThreadPool(2);
        IdempotentClient client = IdempotentClient.over(
                        HttpClient.newBuilder().executor(twoThreads).build())
                .onRetry((key, attempts, setback, pause) -> pausing.incrementAndGet())
                .build();

        List<CompletableFuture<Result<String>>> futures = IntStream.range(0, intents)
                .mapToObj(i -> client.sendAsync(server.payment(), BodyHandlers.ofString()))
                .toList();

        await().atMost(Duration.ofMinutes(2)).until(() -> pausing.get() == intents);
        futures.forEach(future -> future.cancel(true));
        twoThreads.shutdown();
        assertThat(futures).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void does_not_retry_local_failures(@TempDir Path directory) throws IOException {
        server.otherwise(TestServer.answer(201, "text/plain", "done"));
        Path file = Files.writeString(directory.resolve("body"), "a payment");
        HttpRequest fromFile = HttpRequest.newBuilder(server.uri("/payments"))
                .POST(BodyPublishers.ofFile(file))
                .build();
        Files.delete(file);

        Result<Path> noPlace = client().build()
                .send(
                        server.payment(),
                        BodyHandlers.ofFile(directory.resolve("missing").resolve("answer")));
        Result<String> failed = client().build().send(fromFile, BodyHandlers.ofString());

        assertThat(noPlace)
                .isInstanceOfSatisfying(
                        Result.GaveUp.class,
                        result -> assertThat(result.reason()).isEqualTo(Reason.FAULT));
        assertThat(gaveUp(failed).reason()).isEqualTo(Reason.FAULT);
        assertThat(noPlace.attempts()).isEqualTo(1);
        assertThat(failed.attempts()).isEqualTo(1);
    }

    @Test
    void stops_when_its_future_is_cancelled() {
        server.then(TestServer.hang());
        CompletableFuture<Result<String>> future =
                client().build().sendAsync(server.payment(), BodyHandlers.ofString());
        await().atMost(Duration.ofMinutes(2)).until(() -> server.received().size() == 1);

        future.cancel(true);

        assertThat(future).isCancelled();
        assertThat(time.pauses()).isEmpty();
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void pauses_by_the_machines_clock_by_default() throws GaveUpException {
        server.then(503, "text/plain", "").then(503, "text/plain", "").then(201, "text/plain", "done");
        IdempotentClient client = IdempotentClient.over(HttpClient.newHttpClient())
                .retrying(RetryPolicy.DEFAULT.firstDelay(Duration.ofMillis(1)))
                .build();

        assertThat(client.send(server.payment(), BodyHandlers.ofString())
                        .orElseThrow()
                        .attempts())
                .isEqualTo(3);
    }
}
