package dev.semel.examples.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.http.servlet.SemelFilter;
import dev.semel.memory.MemoryStore;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

@DisplayName("with Spring MVC on Tomcat")
class TomcatTest {

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    @Import(Handlers.class)
    static class Application {

        @Bean
        SemelEngine semel() {
            return SemelEngine.on(new MemoryStore()).build();
        }

        @Bean
        FilterRegistrationBean<SemelFilter> idempotency(SemelEngine semel) {
            Routes routes = Routes.builder()
                    .protect(
                            "*",
                            "*",
                            RoutePolicy.of(Operation.named("anything")).build())
                    .build();
            Gate gate =
                    Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Tenant")).build();
            FilterRegistrationBean<SemelFilter> filter = new FilterRegistrationBean<>(new SemelFilter(gate));
            filter.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
            return filter;
        }
    }

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        // Everything is wired by hand here; the starter, which is on the class path of the payments, has no part in it.
        context = SpringApplication.run(
                Application.class,
                "--semel.enabled=false",
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--logging.level.root=error");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private String key = UUID.randomUUID().toString();
    private final int executedBefore = executions();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/text",
                "/bytes",
                "/deferred",
                "/future",
                "/callable",
                "/streaming",
                "/emitter",
                "/sse",
                "/writer",
                "/empty",
                "/redirect",
                "/send-redirect",
                "/missing",
                "/answered",
                "/deferred-failure",
                "/slow-answered"
            })
    void every_kind_of_handler_runs_once_and_is_replayed_to_the_byte(String path) {
        HttpResponse<byte[]> first = post(path, "", BodyPublishers.noBody());
        HttpResponse<byte[]> second = post(path, "", BodyPublishers.noBody());

        assertReplayed(first, second);
        assertThat(executions()).isEqualTo(executedBefore + 1);
        boolean bodiless = first.statusCode() == 204 || first.statusCode() / 100 == 3;
        assertThat(first.body().length == 0).isEqualTo(bodiless);
    }

    @Test
    void a_request_that_no_handler_takes_is_replayed() {
        assertReplayed(post("/nowhere", "", BodyPublishers.noBody()), post("/nowhere", "", BodyPublishers.noBody()));
    }

    @Test
    void the_answer_to_an_unreadable_body_is_replayed() {
        HttpResponse<byte[]> first = post("/json", "application/json", BodyPublishers.ofString("{\"amount\":\"x\"}"));

        assertThat(first.statusCode()).isEqualTo(400);
        assertReplayed(first, post("/json", "application/json", BodyPublishers.ofString("{\"amount\":\"x\"}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT"})
    void parameters_of_a_form_and_of_the_query_reach_the_handler(String method) {
        String type = "application/x-www-form-urlencoded";
        HttpResponse<byte[]> first = send(method, "/form?q=%C3%BC", type, BodyPublishers.ofString("name=%C3%A4"));
        HttpResponse<byte[]> second = send(method, "/form?q=%C3%BC", type, BodyPublishers.ofString("name=%C3%A4"));

        assertThat(new String(first.body(), StandardCharsets.UTF_8)).startsWith("äü");
        assertReplayed(first, second);
        assertThat(send(method, "/form?q=%C3%BC", type, BodyPublishers.ofString("name=b"))
                        .statusCode())
                .isEqualTo(422);
        assertThat(executions()).isEqualTo(executedBefore + 1);
    }

    @Test
    void an_upload_is_replayed_whatever_its_boundary_is() {
        HttpResponse<byte[]> first = upload("one", "content");
        HttpResponse<byte[]> second = upload("two", "content");

        assertThat(new String(first.body(), StandardCharsets.UTF_8)).startsWith("ä.txttitlecontent");
        assertReplayed(first, second);
        assertThat(upload("two", "other content").statusCode()).isEqualTo(422);
        assertThat(executions()).isEqualTo(executedBefore + 1);
    }

    private HttpResponse<byte[]> upload(String boundary, String content) {
        String body = """
                --%1$s\r
                Content-Disposition: form-data; name="title"\r
                \r
                title\r
                --%1$s\r
                Content-Disposition: form-data; name="file"; filename="ä.txt"\r
                Content-Type: text/plain\r
                \r
                %2$s\r
                --%1$s--\r
                """.formatted(boundary, content);
        return post("/upload", "multipart/form-data; boundary=" + boundary, BodyPublishers.ofString(body));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bare", "status", "annotation", "view"})
    void an_unknown_outcome_is_unknown_however_its_exception_is_answered(String how) {
        post("/thrown/" + how + "/unknown", "", BodyPublishers.noBody());
        HttpResponse<byte[]> second = post("/thrown/" + how + "/unknown", "", BodyPublishers.noBody());

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(new String(second.body())).contains("idempotency_outcome_unknown");
        assertThat(executions()).isEqualTo(executedBefore + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bare", "status", "annotation", "view"})
    void a_request_that_was_not_executed_can_be_retried_however_its_exception_is_answered(String how) {
        post("/thrown/" + how + "/not", "", BodyPublishers.noBody());
        HttpResponse<byte[]> second = post("/thrown/" + how + "/not", "", BodyPublishers.noBody());

        assertThat(second.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(executions()).isEqualTo(executedBefore + 2);
    }

    @Test
    void a_broken_connection_of_the_handler_is_never_an_empty_success() {
        HttpResponse<byte[]> first = post("/broken-connection", "", BodyPublishers.noBody());
        HttpResponse<byte[]> second = post("/broken-connection", "", BodyPublishers.noBody());

        assertThat(first.statusCode()).isEqualTo(500);
        assertReplayed(first, second);
    }

    @Test
    void a_timeout_that_Spring_answers_by_default_leaves_the_outcome_unknown() {
        HttpResponse<byte[]> first = post("/slow", "", BodyPublishers.noBody());
        HttpResponse<byte[]> second = post("/slow", "", BodyPublishers.noBody());

        assertThat(List.of(first.statusCode(), second.statusCode())).containsExactly(409, 409);
        assertThat(new String(second.body())).contains("idempotency_outcome_unknown");
    }

    @Test
    void a_response_of_exactly_the_size_that_is_kept_is_replayed_and_a_longer_one_is_not_executed_again() {
        assertReplayed(
                post("/sized?size=" + (1 << 20), "", BodyPublishers.noBody()),
                post("/sized?size=" + (1 << 20), "", BodyPublishers.noBody()));

        key = UUID.randomUUID().toString();
        HttpResponse<byte[]> first = post("/sized?size=3000000", "", BodyPublishers.noBody());
        HttpResponse<byte[]> second = post("/sized?size=3000000", "", BodyPublishers.noBody());

        assertThat(first.body()).hasSize(3_000_000);
        assertThat(new String(second.body(), StandardCharsets.UTF_8)).contains("idempotency_response_not_retained");
        assertThat(executions()).isEqualTo(executedBefore + 2);
    }

    @Test
    void nothing_that_a_handler_flushed_before_it_failed_is_sent() {
        HttpResponse<byte[]> first = post("/flushed-then-failed", "", BodyPublishers.noBody());

        assertThat(first.statusCode()).isEqualTo(500);
        assertReplayed(first, post("/flushed-then-failed", "", BodyPublishers.noBody()));
    }

    @Test
    void cookies_of_the_handler_and_of_the_session_go_to_the_first_client_only() {
        HttpResponse<byte[]> first = post("/session", "", BodyPublishers.noBody());
        HttpResponse<byte[]> second = post("/session", "", BodyPublishers.noBody());

        assertThat(first.headers().allValues("Set-Cookie")).hasSize(2);
        assertThat(second.headers().allValues("Set-Cookie")).isEmpty();
        assertThat(second.body()).isEqualTo(first.body());
    }

    private static int executions() {
        return context.getBean(Handlers.class).executions();
    }

    private static void assertReplayed(HttpResponse<byte[]> first, HttpResponse<byte[]> second) {
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(second.headers().firstValue("Idempotency-Replayed")).contains("true");
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(comparable(second)).isEqualTo(comparable(first));
    }

    private static Map<String, List<String>> comparable(HttpResponse<?> response) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(response.headers().map());
        List.of("Date", "Connection", "Keep-Alive", "Idempotency-Replayed", "Idempotency-Age", "Idempotency-Expires")
                .forEach(headers::remove);
        return headers;
    }

    private HttpResponse<byte[]> post(String path, String contentType, BodyPublisher body) {
        return send("POST", path, contentType, body);
    }

    private HttpResponse<byte[]> send(String method, String path, String contentType, BodyPublisher body) {
        String port = context.getEnvironment().getProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Idempotency-Key", key)
                .header("X-Tenant", "acme")
                .method(method, body);
        if (!contentType.isEmpty()) {
            request.header("Content-Type", contentType);
        }
        try {
            return HTTP.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
