package dev.semel.spring.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.OutcomeUnknownException;
import dev.semel.RefusedException;
import dev.semel.spring.Idempotent;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@DisplayName("An @Idempotent call that is refused in a controller of WebFlux")
class ReactiveRefusedCallsTest {

    private final String id = UUID.randomUUID().toString();

    @EnableAutoConfiguration
    @Import({Shipping.class, Ships.class})
    static class Application {}

    @Service
    static class Shipping {

        private final CompletableFuture<String> slow = new CompletableFuture<>();

        void leave() {
            slow.complete("shipped");
        }

        @Idempotent(operation = "ship-order", key = "#id")
        public CompletionStage<String> ship(String id, String how) {
            return switch (how) {
                case "slow" -> slow;
                case "lost" -> CompletableFuture.failedFuture(new OutcomeUnknownException("no answer"));
                default -> CompletableFuture.completedFuture("shipped");
            };
        }

        @Idempotent(operation = "ship-order", key = "#id")
        public String shipNow(String id, String how) {
            return "shipped " + how;
        }
    }

    @RestController
    static class Ships {

        private final Shipping shipping;

        Ships(Shipping shipping) {
            this.shipping = shipping;
        }

        @PostMapping("/ships/{id}")
        Mono<String> ship(@PathVariable String id, @RequestParam String how) {
            return Mono.fromCompletionStage(() -> shipping.ship(id, how));
        }

        @GetMapping("/ships/{id}")
        Mono<String> shipByGet(@PathVariable String id, @RequestParam String how) {
            return ship(id, how);
        }

        @PostMapping("/blocking/{id}")
        Mono<String> shipNow(@PathVariable String id, @RequestParam String how) {
            return Mono.fromCallable(() -> shipping.shipNow(id, how)).subscribeOn(Schedulers.boundedElastic());
        }
    }

    private HttpResponse<String> ship(ReactiveApplication application, String path, String how) {
        return application.send(
                application.request(path + id + "?how=" + how).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private static void assertProblem(HttpResponse<String> response, int status, String code, String retryAfter) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"type\":\"urn:semel:problem:" + code, "\"code\":\"" + code + "\"");
        assertThat(response.headers().firstValue("Retry-After").orElse("")).isEqualTo(retryAfter);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void is_answered_like_a_request_that_the_filter_refuses(boolean problemDetails) {
        try (ReactiveApplication application = ReactiveApplication.plain(
                Application.class, "spring.webflux.problemdetails.enabled=" + problemDetails)) {
            CompletableFuture<HttpResponse<String>> first = application.sendLater(
                    application.request("/ships/" + id + "?how=slow").POST(HttpRequest.BodyPublishers.noBody()));
            CompletableFuture<HttpResponse<String>> second = application.sendLater(
                    application.request("/ships/" + id + "?how=slow").POST(HttpRequest.BodyPublishers.noBody()));

            assertProblem(
                    first.applyToEither(second, either -> either).join(), 409, "idempotency_key_in_progress", "1");
            assertProblem(
                    application.send(application.request("/ships/" + id + "?how=slow")),
                    409,
                    "idempotency_key_in_progress",
                    "1");
            assertProblem(
                    ship(application, "/blocking/", "fast"), 422, "idempotency_key_reused_with_different_payload", "");

            application.bean(Shipping.class).leave();
            assertThat(ship(application, "/ships/", "slow").statusCode()).isIn(200, 409);
        }
    }

    @Test
    void is_answered_as_unknown_and_as_unavailable() {
        try (ReactiveApplication application = ReactiveApplication.plain(Application.class)) {
            assertThat(ship(application, "/ships/", "lost").statusCode()).isEqualTo(500);
            assertProblem(ship(application, "/ships/", "lost"), 409, "idempotency_outcome_unknown", "5");

            application.store().down();
            assertProblem(ship(application, "/ships/", "fast"), 503, "idempotency_store_unavailable", "1");
            assertProblem(ship(application, "/blocking/", "fast"), 503, "idempotency_store_unavailable", "1");
        }
    }

    /** Of one controller alone: advice would be found by the applications of other tests, which scan this package. */
    @RestController
    static class OwnAnswers {

        private final Shipping shipping;

        OwnAnswers(Shipping shipping) {
            this.shipping = shipping;
        }

        @PostMapping("/own/{id}")
        Mono<String> ship(@PathVariable String id, @RequestParam String how) {
            return Mono.fromCompletionStage(() -> shipping.ship(id, how));
        }

        @ExceptionHandler
        ResponseEntity<String> answer(RefusedException refused) {
            return ResponseEntity.status(HttpStatus.GONE).body("own");
        }
    }

    @EnableAutoConfiguration
    @Import({Shipping.class, OwnAnswers.class})
    static class WithOwnAnswers {}

    @Test
    void is_answered_by_the_application_where_it_wants_to() {
        try (ReactiveApplication application = ReactiveApplication.plain(WithOwnAnswers.class)) {
            assertThat(ship(application, "/own/", "lost").statusCode()).isEqualTo(500);
            HttpResponse<String> refused = ship(application, "/own/", "lost");
            assertThat(refused.statusCode()).isEqualTo(410);
            assertThat(refused.body()).isEqualTo("own");
        }
    }
}
