package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.Failures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

@DisplayName("The safe rule, on real failures of Spring's clients")
class SafeFailuresTest {

    /** For an answer that never comes. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    /** For all else: longer than a busy machine takes to set up a client. */
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Accepts connections, which the system does without it, and never answers. */
    private static ServerSocket silent;

    private static int refused;

    @BeforeAll
    static void listen() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            refused = closed.getLocalPort();
        }
    }

    @AfterAll
    static void stop() throws IOException {
        silent.close();
    }

    private interface Client {
        void post(String url, Duration timeout);
    }

    private static RestClient restClient(Duration timeout) {
        JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory();
        factory.setReadTimeout(timeout);
        return RestClient.builder().requestFactory(factory).build();
    }

    private static RestTemplate restTemplate(Duration timeout) {
        SimpleClientHttpRequestFactory factory = new SimpleClientHttpRequestFactory();
        factory.setReadTimeout((int) timeout.toMillis());
        return new RestTemplate(factory);
    }

    static Stream<Arguments> clients() {
        Client rest = (url, timeout) ->
                restClient(timeout).post().uri(url).body("{}").retrieve().toBodilessEntity();
        Client template = (url, timeout) -> restTemplate(timeout).postForObject(url, "{}", String.class);
        Client web = (url, timeout) -> WebClient.create()
                .post()
                .uri(url)
                .bodyValue("{}")
                .retrieve()
                .toBodilessEntity()
                .timeout(timeout)
                .block();
        return Stream.of(
                Arguments.of("RestClient", rest),
                Arguments.of("RestTemplate", template),
                Arguments.of("WebClient", web));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    void tells_a_refused_connection_from_a_missing_answer(String name, Client client) {
        assertThat(meaningOf(() -> client.post("http://127.0.0.1:" + refused, LONG)))
                .contains(Failures.RETRY);
        assertThat(meaningOf(() -> client.post("http://no-such-host.invalid", LONG)))
                .contains(Failures.RETRY);
        assertThat(meaningOf(() -> client.post("http://127.0.0.1:" + silent.getLocalPort(), SHORT)))
                .contains(Failures.RECONCILE);
    }

    @Test
    void knows_that_no_connection_to_the_database_was_had() {
        JdbcTemplate database = new JdbcTemplate(
                new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:" + refused + "/shop", "shop", ""));
        assertThat(meaningOf(() -> database.execute("INSERT INTO payments VALUES (1)")))
                .contains(Failures.RETRY);
    }

    private static Optional<Failures> meaningOf(Runnable call) {
        Exception failure = catchThrowableOfType(Exception.class, call::run);
        assertThat(failure).isNotNull();
        return Failures.Rule.SAFE.judge(failure);
    }

    private static final AtomicInteger EXECUTIONS = new AtomicInteger();

    @EnableAutoConfiguration
    @RestController
    static class Payments {

        @PostMapping("/payments")
        @Idempotent(operation = "create-payment")
        String pay(@RequestParam int port) {
            EXECUTIONS.incrementAndGet();
            restClient(port == refused ? LONG : SHORT)
                    .post()
                    .uri("http://127.0.0.1:" + port)
                    .body("{}")
                    .retrieve()
                    .toBodilessEntity();
            return "paid";
        }
    }

    @Test
    void releases_the_key_of_a_payment_that_was_never_sent_and_keeps_that_of_one_in_doubt() {
        try (RunningApplication application = RunningApplication.plain(
                Payments.class, "semel.store=memory:", "semel.operations.create-payment.retention=payment")) {
            EXECUTIONS.set(0);
            application.post("/payments?port=" + refused, "never-sent", "{}");
            application.post("/payments?port=" + refused, "never-sent", "{}");
            assertThat(EXECUTIONS).as("a retry of what was never sent executes").hasValue(2);

            EXECUTIONS.set(0);
            String silentPayment = "/payments?port=" + silent.getLocalPort();
            application.post(silentPayment, "in-doubt", "{}");
            HttpResponse<String> retry = application.post(silentPayment, "in-doubt", "{}");
            assertThat(EXECUTIONS).as("a retry of what is in doubt does not").hasValue(1);
            assertThat(retry.statusCode()).isEqualTo(409);
            assertThat(retry.body()).contains("idempotency_outcome_unknown");
        }
    }
}
