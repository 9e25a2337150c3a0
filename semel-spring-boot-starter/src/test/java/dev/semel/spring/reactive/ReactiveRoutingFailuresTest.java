package dev.semel.spring.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.http.key.ScopeResult;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.reconcile.StoredRecord;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import reactor.core.publisher.Mono;

@DisplayName("A request that WebFlux answers without a handler")
class ReactiveRoutingFailuresTest {

    private static final AtomicInteger EXECUTIONS = new AtomicInteger();

    private static ReactiveApplication plain;
    private static ReactiveApplication withProblemDetails;

    private final String key = UUID.randomUUID().toString();

    @EnableAutoConfiguration
    @Import(RoutedEndpoints.class)
    static class Application {

        @Bean
        ScopeStrategy scopes() {
            return request -> new ScopeResult.Found(Scope.of("shop"));
        }
    }

    @RestController
    @RequestMapping("/routing")
    static class RoutedEndpoints {

        @PutMapping("/put-only")
        String put() {
            return "put";
        }

        @PostMapping(path = "/json-only", consumes = MediaType.APPLICATION_JSON_VALUE)
        String jsonOnly() {
            return "read";
        }

        @PostMapping("/json-argument")
        String argument(@RequestBody Map<String, Object> body) {
            EXECUTIONS.incrementAndGet();
            return "read " + body;
        }

        @PostMapping("/reactive-argument")
        Mono<String> reactiveArgument(@RequestBody Mono<Map<String, Object>> body) {
            EXECUTIONS.incrementAndGet();
            return body.map(Map::toString);
        }

        @PostMapping(path = "/produces-json", produces = MediaType.APPLICATION_JSON_VALUE)
        String producesJson() {
            return "{}";
        }

        @PostMapping(path = "/parameters", params = "kind=gift")
        String parameters() {
            return "gift";
        }

        @PostMapping("/own-404")
        Mono<String> ownNotFound() {
            EXECUTIONS.incrementAndGet();
            return Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND));
        }

        @PostMapping("/own-415")
        String ownUnsupported() {
            EXECUTIONS.incrementAndGet();
            throw new UnsupportedMediaTypeStatusException("thrown by the handler");
        }

        @PostMapping("/unacceptable-result")
        Map<String, Object> unacceptableResult() {
            EXECUTIONS.incrementAndGet();
            return Map.of("executed", true);
        }

        String added() {
            EXECUTIONS.incrementAndGet();
            return "added";
        }
    }

    @BeforeAll
    static void start() {
        plain = ReactiveApplication.plain(Application.class);
        withProblemDetails = ReactiveApplication.plain(Application.class, "spring.webflux.problemdetails.enabled=true");
    }

    @AfterAll
    static void stop() {
        plain.close();
        withProblemDetails.close();
    }

    private HttpResponse<String> post(ReactiveApplication application, String path, String type, String accept) {
        return application.send(application
                .request(path, "Idempotency-Key", key, "Content-Type", type, "Accept", accept)
                .POST(HttpRequest.BodyPublishers.ofString("{}")));
    }

    private State state(ReactiveApplication application) {
        return application
                .bean(SemelEngine.class)
                .find(Identity.of("shop", key))
                .map(StoredRecord::state)
                .orElseThrow();
    }

    private void assertReleased(ReactiveApplication application, String path, String type, String accept, int status) {
        assertThat(post(application, path, type, accept).statusCode()).isEqualTo(status);
        assertThat(state(application)).isEqualTo(State.FAILED_RETRYABLE);
        HttpResponse<String> again = post(application, path, type, accept);
        assertThat(again.statusCode()).isEqualTo(status);
        assertThat(ReactiveApplication.isReplay(again)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/routing/nowhere, application/json, */*, 404",
        "/routing/put-only, application/json, */*, 405",
        "/routing/json-only, text/csv, */*, 415",
        "/routing/produces-json, application/json, application/xml, 406",
        "/routing/parameters, application/json, */*, 400",
    })
    void releases_its_key(String path, String type, String accept, int status) {
        assertReleased(plain, path, type, accept, status);
        assertReleased(withProblemDetails, path, type, accept, status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"json-argument", "reactive-argument"})
    void releases_its_key_where_its_body_cannot_be_converted_to_an_argument(String argument) {
        int before = EXECUTIONS.get();
        assertReleased(plain, "/routing/" + argument, "text/csv", "*/*", 415);
        assertThat(EXECUTIONS).hasValue(before);
    }

    @ParameterizedTest
    @CsvSource({
        "own-404, */*, 404",
        "own-415, */*, 415",
        "unacceptable-result, application/pdf, 406",
    })
    void is_recorded_where_a_handler_has_run(String path, String accept, int status) {
        int before = EXECUTIONS.get();
        assertThat(post(plain, "/routing/" + path, "application/json", accept).statusCode())
                .isEqualTo(status);
        assertThat(state(plain)).isEqualTo(State.COMPLETED);
        HttpResponse<String> again = post(plain, "/routing/" + path, "application/json", accept);
        assertThat(again.statusCode()).isEqualTo(status);
        assertThat(ReactiveApplication.isReplay(again)).isTrue();
        assertThat(EXECUTIONS).hasValue(before + 1);
    }

    @Test
    void is_executed_with_the_same_key_once_its_route_exists() throws NoSuchMethodException {
        assertThat(post(plain, "/added", "application/json", "*/*").statusCode())
                .isEqualTo(404);

        plain.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .registerMapping(
                        RequestMappingInfo.paths("/added").build(),
                        plain.bean(RoutedEndpoints.class),
                        RoutedEndpoints.class.getDeclaredMethod("added"));

        HttpResponse<String> executed = post(plain, "/added", "application/json", "*/*");
        assertThat(executed.body()).isEqualTo("added");
        assertThat(ReactiveApplication.isReplay(executed)).isFalse();
        assertThat(ReactiveApplication.isReplay(post(plain, "/added", "application/json", "*/*")))
                .isTrue();
    }
}
