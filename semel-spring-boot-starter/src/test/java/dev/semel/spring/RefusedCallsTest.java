package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.OutcomeUnknownException;
import dev.semel.RefusedException;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.stores.FaultyStore;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
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
import org.springframework.web.bind.annotation.RestControllerAdvice;

@DisplayName("An @Idempotent call that is refused in a controller of Spring MVC")
class RefusedCallsTest {

    private final String id = UUID.randomUUID().toString();

    @EnableAutoConfiguration
    @Import({Shipping.class, Ships.class})
    static class Application {

        @Bean
        FaultyStore store() {
            return new FaultyStore(new MemoryStore());
        }
    }

    @Service
    static class Shipping {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch leave = new CountDownLatch(1);

        boolean awaitEntered() throws InterruptedException {
            return entered.await(30, TimeUnit.SECONDS);
        }

        void leave() {
            leave.countDown();
        }

        @Idempotent(operation = "ship-order", key = "#id")
        public String ship(String id, String how) throws InterruptedException {
            if (how.equals("slow")) {
                entered.countDown();
                leave.await(30, TimeUnit.SECONDS);
            }
            if (how.equals("lost")) {
                throw new OutcomeUnknownException("no answer from the carrier");
            }
            return "shipped";
        }

        @Idempotent(operation = "ship-order", key = "#id")
        public CompletionStage<String> shipLater(String id, String how) {
            return CompletableFuture.completedFuture("shipped " + how);
        }
    }

    @RestController
    static class Ships {

        private final Shipping shipping;

        Ships(Shipping shipping) {
            this.shipping = shipping;
        }

        @PostMapping("/ships/{id}")
        String ship(@PathVariable String id, @RequestParam String how) throws InterruptedException {
            return shipping.ship(id, how);
        }

        @GetMapping("/ships/{id}")
        String shipByGet(@PathVariable String id, @RequestParam String how) throws InterruptedException {
            return shipping.ship(id, how);
        }

        @PostMapping("/later/{id}")
        CompletionStage<String> shipLater(@PathVariable String id, @RequestParam String how) {
            return shipping.shipLater(id, how);
        }
    }

    private HttpResponse<String> ship(RunningApplication application, String path, String how) {
        return application.send(HttpRequest.newBuilder(application.uri(path + id + "?how=" + how))
                .POST(HttpRequest.BodyPublishers.noBody()));
    }

    private static void assertProblem(HttpResponse<String> response, int status, String code, String retryAfter) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"type\":\"urn:semel:problem:" + code, "\"code\":\"" + code + "\"");
        assertThat(response.headers().firstValue("Retry-After").orElse("")).isEqualTo(retryAfter);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void is_answered_like_a_request_that_the_filter_refuses(boolean problemDetails) throws Exception {
        try (RunningApplication application =
                RunningApplication.plain(Application.class, "spring.mvc.problemdetails.enabled=" + problemDetails)) {
            Shipping shipping = application.bean(Shipping.class);
            CompletableFuture<HttpResponse<String>> first =
                    CompletableFuture.supplyAsync(() -> ship(application, "/ships/", "slow"));
            assertThat(shipping.awaitEntered()).isTrue();

            assertProblem(ship(application, "/ships/", "slow"), 409, "idempotency_key_in_progress", "1");
            assertProblem(
                    application.send(HttpRequest.newBuilder(application.uri("/ships/" + id + "?how=slow"))),
                    409,
                    "idempotency_key_in_progress",
                    "1");
            assertProblem(
                    ship(application, "/later/", "fast"), 422, "idempotency_key_reused_with_different_payload", "");

            shipping.leave();
            assertThat(first.get().body()).isEqualTo("shipped");
        }
    }

    @Test
    void is_answered_as_unknown_and_as_unavailable() {
        try (RunningApplication application = RunningApplication.plain(Application.class)) {
            assertThat(ship(application, "/ships/", "lost").statusCode()).isEqualTo(500);
            assertProblem(ship(application, "/ships/", "lost"), 409, "idempotency_outcome_unknown", "5");

            application.bean(FaultyStore.class).down();
            assertProblem(ship(application, "/ships/", "fast"), 503, "idempotency_store_unavailable", "1");
            assertProblem(ship(application, "/later/", "fast"), 503, "idempotency_store_unavailable", "1");
            application.bean(FaultyStore.class).up();
        }
    }

    @RestControllerAdvice
    static class OwnAnswers {

        @ExceptionHandler
        ResponseEntity<String> answer(RefusedException refused) {
            return ResponseEntity.status(HttpStatus.GONE).body("own");
        }
    }

    @EnableAutoConfiguration
    @Import(OwnAnswers.class)
    static class WithOwnAnswers extends Application {}

    @Test
    void is_answered_by_the_application_where_it_wants_to() {
        try (RunningApplication application = RunningApplication.plain(WithOwnAnswers.class)) {
            assertThat(ship(application, "/ships/", "lost").statusCode()).isEqualTo(500);
            HttpResponse<String> refused = ship(application, "/ships/", "lost");
            assertThat(refused.statusCode()).isEqualTo(410);
            assertThat(refused.body()).isEqualTo("own");
        }
    }
}
