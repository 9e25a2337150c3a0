package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.http.key.ScopeResult;
import dev.semel.http.key.ScopeStrategy;
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
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

@DisplayName("A request that Spring MVC answers without a handler")
class RoutingFailuresTest {

    private static RunningApplication plain;
    private static RunningApplication withProblemDetails;

    private static final AtomicInteger EXECUTIONS = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @EnableAutoConfiguration
    @Import({Endpoints.class, Views.class})
    static class Application {

        @Bean
        ScopeStrategy scopes() {
            return request -> new ScopeResult.Found(Scope.of("shop"));
        }
    }

    @RestController
    static class Endpoints {

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

        @PostMapping(path = "/produces-json", produces = MediaType.APPLICATION_JSON_VALUE)
        String producesJson() {
            return "{}";
        }

        @PostMapping(path = "/parameters", params = "kind=gift")
        String parameters() {
            return "gift";
        }

        @PostMapping("/own-404")
        String ownNotFound() {
            EXECUTIONS.incrementAndGet();
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }

        @PostMapping("/own-415")
        String ownUnsupported() throws HttpMediaTypeNotSupportedException {
            EXECUTIONS.incrementAndGet();
            throw new HttpMediaTypeNotSupportedException("thrown by the handler");
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

    @Controller
    static class Views {

        @PostMapping("/forwards-into-the-void")
        String forwards() {
            EXECUTIONS.incrementAndGet();
            return "forward:/nowhere";
        }
    }

    @BeforeAll
    static void start() {
        plain = RunningApplication.plain(Application.class, "semel.store=memory:");
        withProblemDetails = RunningApplication.plain(
                Application.class, "semel.store=memory:", "spring.mvc.problemdetails.enabled=true");
    }

    @AfterAll
    static void stop() {
        plain.close();
        withProblemDetails.close();
    }

    private HttpResponse<String> post(RunningApplication application, String path, String type, String accept) {
        return application.send(HttpRequest.newBuilder(application.uri(path))
                .header("Idempotency-Key", key)
                .header("Content-Type", type)
                .header("Accept", accept)
                .POST(HttpRequest.BodyPublishers.ofString("{}")));
    }

    private State state(RunningApplication application) {
        return application
                .bean(SemelEngine.class)
                .find(Identity.of("shop", key))
                .orElseThrow()
                .state();
    }

    @ParameterizedTest
    @CsvSource({
        "/nowhere, application/json, */*, 404",
        "/put-only, application/json, */*, 405",
        "/json-only, text/csv, */*, 415",
        "/json-argument, text/csv, */*, 415",
        "/produces-json, application/json, application/xml, 406",
        "/parameters, application/json, */*, 400",
    })
    void releases_its_key(String path, String type, String accept, int status) {
        int before = EXECUTIONS.get();
        for (RunningApplication application : new RunningApplication[] {plain, withProblemDetails}) {
            assertThat(post(application, path, type, accept).statusCode()).isEqualTo(status);
            assertThat(state(application)).isEqualTo(State.FAILED_RETRYABLE);
            HttpResponse<String> again = post(application, path, type, accept);
            assertThat(again.statusCode()).isEqualTo(status);
            assertThat(RunningApplication.isReplay(again)).isFalse();
        }
        assertThat(EXECUTIONS).hasValue(before);
    }

    @ParameterizedTest
    @CsvSource({
        "/own-404, */*, 404",
        "/own-415, */*, 415",
        "/unacceptable-result, application/pdf, 406",
        "/forwards-into-the-void, */*, 404",
    })
    void is_recorded_where_a_handler_has_run(String path, String accept, int status) {
        int before = EXECUTIONS.get();
        assertThat(post(plain, path, "application/json", accept).statusCode()).isEqualTo(status);
        assertThat(state(plain)).isEqualTo(State.COMPLETED);
        HttpResponse<String> again = post(plain, path, "application/json", accept);
        assertThat(again.statusCode()).isEqualTo(status);
        assertThat(RunningApplication.isReplay(again)).isTrue();
        assertThat(EXECUTIONS).hasValue(before + 1);
    }

    @Test
    void is_executed_with_the_same_key_once_its_route_exists() throws NoSuchMethodException {
        assertThat(post(plain, "/added", "application/json", "*/*").statusCode())
                .isEqualTo(404);

        plain.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .registerMapping(
                        RequestMappingInfo.paths("/added").build(),
                        plain.bean(Endpoints.class),
                        Endpoints.class.getDeclaredMethod("added"));

        HttpResponse<String> executed = post(plain, "/added", "application/json", "*/*");
        assertThat(executed.body()).isEqualTo("added");
        assertThat(RunningApplication.isReplay(executed)).isFalse();
        assertThat(RunningApplication.isReplay(post(plain, "/added", "application/json", "*/*")))
                .isTrue();
    }
}
