package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Attempt;
import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.Retention;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.StoredRecord;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("A controller method that is @Idempotent")
class IdempotentControllersTest {

    private static RunningApplication application;

    private final String key = UUID.randomUUID().toString();

    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Application {}

    @RestController
    @RequestMapping("/orders/{order}")
    static class Orders {

        private final AtomicInteger runs = new AtomicInteger();

        @RequestMapping(
                path = "/status",
                method = {RequestMethod.PUT, RequestMethod.POST})
        @Idempotent(operation = "move-order")
        String move(@PathVariable String order, Attempt attempt) {
            return order + " " + attempt.downstreamKey("mail").isEmpty() + " " + runs.incrementAndGet();
        }

        @PostMapping("/notes")
        String note(@PathVariable String order, Attempt attempt) {
            return "never without a key";
        }
    }

    @BeforeAll
    static void start() {
        application = RunningApplication.plain(
                Application.class, "semel.store=memory:", "semel.operations.move-order.retention=payment");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void is_answered_by_the_filter_when_it_is_repeated() {
        HttpResponse<String> first = application.post("/orders/7/status", key, "{}");
        HttpResponse<String> second = application.post("/orders/7/status", key, "{}");

        assertThat(first.body()).startsWith("7 false ");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(RunningApplication.isReplay(second)).isTrue();
    }

    @Test
    void has_the_policy_of_its_operation() {
        application.post("/orders/7/status", key, "{}");

        StoredRecord record = application
                .bean(SemelEngine.class)
                .find(new Identity(Scope.ANONYMOUS, Key.of(key)))
                .orElseThrow();
        assertThat(record.operation()).isEqualTo("move-order");
        assertThat(record.retentionRemaining())
                .isGreaterThan(Retention.PAYMENT.duration().minus(Duration.ofHours(1)));
    }

    @Test
    void needs_a_key() {
        HttpResponse<String> answer = application.send(HttpRequest.newBuilder(application.uri("/orders/7/status"))
                .PUT(HttpRequest.BodyPublishers.ofString("{}")));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("idempotency_key_missing");
    }

    @Test
    void cannot_take_an_attempt_where_there_is_none() {
        HttpResponse<String> answer = application.send(
                HttpRequest.newBuilder(application.uri("/orders/7/notes")).POST(HttpRequest.BodyPublishers.noBody()));

        assertThat(answer.statusCode()).isEqualTo(500);
    }

    @Test
    void is_found_where_the_dispatcher_servlet_has_a_path_of_its_own() {
        try (RunningApplication below = RunningApplication.plain(
                Application.class,
                "semel.store=memory:",
                "spring.mvc.servlet.path=/api",
                // Also where properties say the same.
                "semel.operations.move-order.match=POST|PUT /api/orders/*/status")) {
            HttpResponse<String> first = below.post("/api/orders/7/status", key, "{}");

            assertThat(first.body()).startsWith("7 false ");
            assertThat(below.bean(SemelEngine.class)
                            .find(new Identity(Scope.ANONYMOUS, Key.of(key)))
                            .map(StoredRecord::operation))
                    .contains("move-order");
        }
    }

    @EnableAutoConfiguration
    @RestController
    static class WithExpression {
        @PostMapping("/a")
        @Idempotent(key = "#id")
        String run(String id) {
            return id;
        }
    }

    @EnableAutoConfiguration
    @RestController
    static class Safe {
        @GetMapping("/a")
        @Idempotent
        String run() {
            return "";
        }
    }

    @EnableAutoConfiguration
    @RestController
    static class PartOfSegment {
        @PostMapping("/a/v{version}")
        @Idempotent
        String run() {
            return "";
        }
    }

    private static void failsToStart(Class<?> application, String message) {
        assertThatThrownBy(() -> RunningApplication.plain(application, "semel.store=memory:")
                        .close())
                .rootCause()
                .hasMessageContaining(message);
    }

    @Test
    void fails_at_start_with_what_is_wrong() {
        failsToStart(
                WithExpression.class,
                "@Idempotent on WithExpression.run: the key, payload and scope of a request are taken from the request itself");
        failsToStart(Safe.class, "@Idempotent on Safe.run: [GET] is safe to repeat by definition");
        failsToStart(
                PartOfSegment.class,
                "@Idempotent on PartOfSegment.run: the path /a/v{version} matches parts of segments");
    }
}
