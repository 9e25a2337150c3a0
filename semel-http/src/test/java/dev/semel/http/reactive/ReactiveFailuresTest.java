package dev.semel.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Attempt;
import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@DisplayName("A failure of a WebFlux handler")
class ReactiveFailuresTest {

    private static ReactiveServer application;

    private Endpoints endpoints;

    static final class Declined extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static final class Declared extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @ResponseStatus(code = HttpStatus.GONE, reason = "it is gone")
    static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @RestController
    static class Endpoints {

        private final AtomicInteger executions = new AtomicInteger();

        private static Throwable failure(String kind) {
            return switch (kind) {
                case "unmapped" -> new IllegalStateException("an internal secret");
                case "checked" -> new java.io.IOException("Connection reset by peer");
                case "status" -> new ResponseStatusException(HttpStatus.CONFLICT, "it is taken");
                case "annotated" -> new Gone();
                case "declined" -> new Declined();
                case "declared" -> new Declared();
                case "not-executed" -> new IllegalStateException(new NotExecutedException("the bank is closed"));
                case "unknown" -> new OutcomeUnknownException("the bank is silent");
                case "error" -> new StackOverflowError();
                default -> throw new IllegalArgumentException(kind);
            };
        }

        @PostMapping({"/late/{kind}", "/retried/{kind}"})
        Mono<String> late(@PathVariable String kind) {
            executions.incrementAndGet();
            return Mono.error(failure(kind));
        }

        @PostMapping("/early/{kind}")
        Mono<String> early(@PathVariable String kind) throws Throwable {
            executions.incrementAndGet();
            throw failure(kind);
        }

        @PostMapping("/midway/{kind}")
        Flux<String> midway(@PathVariable String kind) {
            executions.incrementAndGet();
            return Flux.just("a", "b", "c").concatWith(Flux.error(failure(kind)));
        }

        @PostMapping("/typed")
        Mono<String> typed(@RequestBody Map<String, Object> body) {
            executions.incrementAndGet();
            return Mono.just("typed");
        }
    }

    @RestControllerAdvice(assignableTypes = Endpoints.class)
    static class Advice {

        @ExceptionHandler
        Mono<ResponseEntity<String>> declined(Declined declined) {
            return Mono.just(
                    ResponseEntity.status(402).header("X-Reason", "funds").body("declined"));
        }

        @ExceptionHandler
        ResponseEntity<String> declared(Declared failure, Attempt attempt) {
            attempt.notExecuted("declared");
            return ResponseEntity.status(502).body("declared");
        }
    }

    @BeforeAll
    static void start() {
        application = ReactiveServer.of(Endpoints.class, Advice.class)
                .route("/retried/*", Operation.named("retried").failures(Failures.RETRY), policy -> policy)
                .start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void reset() {
        endpoints = application.bean(Endpoints.class);
        endpoints.executions.set(0);
    }

    @ParameterizedTest
    @CsvSource({
        "/late/unmapped, 500", "/early/unmapped, 500", "/midway/unmapped, 500", "/late/checked, 500",
        "/late/status, 409", "/early/status, 409", "/midway/status, 409", "/late/annotated, 410",
        "/late/declined, 402", "/early/declined, 402",
    })
    void is_recorded_and_replayed_as_it_was_answered(String path, int status) {
        HttpResponse<String> first = application.post(path, "k" + path, "{}");
        HttpResponse<String> second = application.post(path, "k" + path, "{}");

        assertThat(first.statusCode()).isEqualTo(status);
        assertThat(first.body()).doesNotContain("secret");
        assertThat(ReactiveServer.isReplay(second)).isTrue();
        assertThat(second.statusCode()).isEqualTo(status);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().allValues("Content-Type"))
                .isEqualTo(first.headers().allValues("Content-Type"));
        assertThat(second.headers().allValues("X-Reason"))
                .isEqualTo(first.headers().allValues("X-Reason"));
        assertThat(endpoints.executions).hasValue(1);
    }

    @Test
    void that_asks_for_a_status_says_why() {
        assertThat(application.post("/late/status", "why", "{}").body())
                .contains("\"code\":\"request_failed\"", "it is taken");
        assertThat(application.post("/late/annotated", "why-not", "{}").body()).contains("it is gone");
    }

    @Test
    void of_Spring_itself_is_recorded_like_any_once_a_handler_is_chosen() {
        HttpResponse<String> unreadable = application.post("/typed", "unreadable", "{");
        assertThat(unreadable.statusCode()).isEqualTo(400);
        assertThat(application.post("/typed", "unreadable", "{").body()).isEqualTo(unreadable.body());
        assertThat(endpoints.executions).hasValue(0);
    }

    @Test
    void is_left_to_Spring_and_releases_the_key_where_failures_are_retried() {
        HttpResponse<String> first = application.post("/retried/unmapped", "r", "{}");
        HttpResponse<String> second = application.post("/retried/unmapped", "r", "{}");

        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.body()).doesNotContain("request_failed");
        assertThat(second.statusCode()).isEqualTo(500);
        assertThat(ReactiveServer.isReplay(second)).isFalse();
        assertThat(endpoints.executions).hasValue(2);
    }

    @Test
    void to_execute_releases_the_key() {
        HttpResponse<String> first = application.post("/late/not-executed", "n", "{}");
        assertThat(first.statusCode()).isEqualTo(503);
        assertThat(first.body()).contains("idempotency_not_executed");

        application.post("/late/not-executed", "n", "{}");
        assertThat(endpoints.executions).hasValue(2);
    }

    @Test
    void with_an_unknown_outcome_is_not_repeated() {
        assertThat(application.post("/early/unknown", "u", "{}").body()).contains("idempotency_outcome_unknown");
        assertThat(application.post("/early/unknown", "u", "{}").statusCode()).isEqualTo(409);
        assertThat(endpoints.executions).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"/late/error", "/early/error"})
    void that_is_an_Error_leaves_the_outcome_unknown(String path) {
        application.post(path, "e" + path, "{}");

        assertThat(application.post(path, "e" + path, "{}").body()).contains("idempotency_outcome_unknown");
        assertThat(endpoints.executions).hasValue(1);
    }

    @Test
    void may_be_declared_as_not_executed_by_the_exception_handler() {
        assertThat(application.post("/late/declared", "t", "{}").statusCode()).isEqualTo(502);
        assertThat(application.post("/late/declared", "t", "{}").body()).isEqualTo("declared");
        assertThat(endpoints.executions).hasValue(2);
    }
}
