package dev.semel.examples.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Retention;
import dev.semel.examples.policies.Example.Answer;
import dev.semel.examples.policies.Example.Exchange;
import dev.semel.spring.Operations;
import dev.semel.spring.SemelProperties;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

@DisplayName("The examples")
class PoliciesTest {

    private static final Duration A_WHILE = Duration.ofMinutes(4);

    @TempDir
    static Path directory;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static ConfigurableApplicationContext application;
    private static URI server;

    /** The clock of the time window, so that no test runs into midnight. */
    private static volatile Instant today = Instant.parse("2026-01-01T12:00:00Z");

    @Configuration(proxyBeanMethods = false)
    static class Today {
        @Bean
        @Primary
        InstantSource today() {
            return () -> today;
        }
    }

    /** An answer, and the one that the README describes. */
    private record Seen(Answer expected, HttpResponse<String> got) {}

    @BeforeAll
    static void start() {
        application = new SpringApplicationBuilder(PoliciesApplication.class, Today.class)
                .run(
                        "--server.port=0",
                        "--logging.level.root=error",
                        "--policies.database=" + directory.resolve("policies.db"));
        server = URI.create("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port"));
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    static List<Example> examples() {
        return Example.inReadme();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void do_what_the_readme_describes(Example example) {
        List<Seen> seen = new ArrayList<>();
        List<CompletableFuture<Seen>> running = new ArrayList<>();
        for (Exchange exchange : example.exchanges()) {
            for (Answer answer : exchange.answers()) {
                if (exchange.command().inBackground()) {
                    running.add(begin(exchange.command()).thenApply(got -> new Seen(answer, got)));
                } else {
                    seen.add(new Seen(answer, send(exchange.command(), answer)));
                }
            }
        }
        running.forEach(future -> seen.add(future.join()));
        assertThat(seen).allSatisfy(PoliciesTest::isAsWritten);
        isNewOrEarlier(seen);
    }

    private static void isAsWritten(Seen seen) {
        HttpResponse<String> got = seen.got();
        assertThat(got.statusCode()).as(got.body()).isEqualTo(seen.expected().status());
        assertThat(seen.expected().holds())
                .allSatisfy(part -> assertThat(got.body()).contains(part));
        assertThat(header(got, "Idempotency-Replayed"))
                .isEqualTo(seen.expected().how().equals("replayed") ? "true" : "");
        assertThat(header(got, "Idempotency-Protected"))
                .isEqualTo(seen.expected().how().equals("unprotected") ? "false" : "");
    }

    /** Each new success has a new body, and each replay has the body of an earlier answer, if that was seen. */
    private static void isNewOrEarlier(List<Seen> seen) {
        Map<Integer, List<String>> produced = new HashMap<>();
        Map<Integer, List<String>> repeated = new HashMap<>();
        for (Seen one : seen) {
            boolean earlier =
                    Set.of("replayed", "the same").contains(one.expected().how());
            (earlier ? repeated : produced)
                    .computeIfAbsent(one.got().statusCode(), status -> new ArrayList<>())
                    .add(one.got().body());
        }
        assertThat(produced.getOrDefault(201, List.of())).doesNotHaveDuplicates();
        produced.forEach((status, bodies) -> assertThat(bodies).containsAll(repeated.getOrDefault(status, List.of())));
    }

    private static CompletableFuture<HttpResponse<String>> begin(Curl command) {
        CompletableFuture<HttpResponse<String>> answer = CLIENT.sendAsync(command.to(server), BodyHandlers.ofString());
        HttpRequest status = HttpRequest.newBuilder(server.resolve("/idempotency/status"))
                .header("Idempotency-Key", command.key().orElseThrow())
                .build();
        await().atMost(A_WHILE).until(() -> send(status).statusCode() == 202);
        return answer;
    }

    private static HttpResponse<String> send(Curl command, Answer expected) {
        if (!expected.afterAWhile()) {
            return send(command.to(server));
        }
        String replayed = expected.how().equals("replayed") ? "true" : "";
        return await().atMost(A_WHILE)
                .until(
                        () -> send(command.to(server)),
                        got -> got.statusCode() == expected.status()
                                && header(got, "Idempotency-Replayed").equals(replayed));
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return CLIENT.send(request, BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void are_all_in_the_readme() {
        assertThat(examples().stream().map(Example::name))
                .containsAll(
                        application.getBean(SemelProperties.class).operations().keySet());
    }

    @Test
    void have_a_new_window_after_midnight() {
        Curl report = Curl.parse("curl -i 127.0.0.1:8080/key-time-window --json '{\"report\":\"stock\"}'");
        String first = send(report.to(server)).body();
        today = Instant.parse("2026-01-01T23:59:59Z");
        assertThat(send(report.to(server)).body()).isEqualTo(first);

        today = Instant.parse("2026-01-02T00:00:00Z");
        assertThat(send(report.to(server)).body()).isNotEqualTo(first);
        today = Instant.parse("2026-01-01T12:00:00Z");
    }

    @Test
    void have_the_retention_that_presets_name() {
        Operations operations = application.getBean(Operations.class);
        assertThat(Map.of(
                        "retention-preset", Retention.EMAIL,
                        "key-content", Retention.API,
                        "ship-order", Retention.ORDER))
                .allSatisfy((name, preset) ->
                        assertThat(operations.named(name).retention()).isEqualTo(preset.duration()));
    }

    /** No request can show the behaviour after a crash; {@code examples/trip} kills such an operation. */
    @Test
    void have_one_that_may_be_executed_again() {
        assertThat(application
                        .getBean(Operations.class)
                        .named("reexecutable-steps")
                        .reexecutable())
                .isTrue();
    }
}
