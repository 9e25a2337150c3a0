package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.stores.FaultyStore;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An application whose payments fail on demand, as its clients and its operators see it. */
final class OperatedApplication implements AutoCloseable {

    static final String EXPOSED = "management.endpoints.web.exposure.include=idempotency";
    static final String UNRESTRICTED = "management.endpoint.idempotency.access=unrestricted";

    static final String SCOPE = "anonymous";

    private static final JsonMapper JSON = new JsonMapper();

    final RunningApplication running;

    /** Without a stereotype: the applications of other tests scan this package. */
    @EnableAutoConfiguration
    static class Payments {

        final AtomicInteger taken = new AtomicInteger();
        volatile boolean failing = true;

        @Bean(destroyMethod = "")
        FaultyStore store() {
            return new FaultyStore(new MemoryStore());
        }

        @Bean
        RouterFunction<ServerResponse> routes() {
            return RouterFunctions.route()
                    .POST("/payments", request -> pay())
                    .POST("/refunds/{id}", request -> pay())
                    .build();
        }

        private ServerResponse pay() {
            taken.incrementAndGet();
            return failing
                    ? ServerResponse.status(HttpStatus.BAD_GATEWAY).build()
                    : ServerResponse.status(HttpStatus.CREATED).body("{\"paid\":\"top secret\"}");
        }
    }

    OperatedApplication(String... properties) {
        running = RunningApplication.plain(
                Payments.class,
                Stream.concat(
                                Stream.of(properties),
                                Stream.of(
                                        // RabbitMQ is on the class path for other tests, and there is no server.
                                        "management.health.rabbit.enabled=false",
                                        "semel.operations.create-payment.match=POST /payments",
                                        "semel.operations.create-payment.failures=reconcile",
                                        "semel.operations.create-payment.retention=payment",
                                        "semel.operations.refund.match=POST /refunds/*",
                                        "semel.operations.refund.key=field:/id",
                                        "semel.operations.refund.failures=reconcile"))
                        .toArray(String[]::new));
    }

    Payments payments() {
        return running.bean(Payments.class);
    }

    FaultyStore store() {
        return running.bean(FaultyStore.class);
    }

    HttpResponse<String> get(String path) {
        return running.send(HttpRequest.newBuilder(running.uri(path)));
    }

    HttpResponse<String> write(String path, String json) {
        return running.send(HttpRequest.newBuilder(running.uri(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    HttpResponse<String> delete(String path) {
        return running.send(HttpRequest.newBuilder(running.uri(path)).DELETE());
    }

    HttpResponse<String> pay(String key) {
        return running.post("/payments", key, "{\"amount\":100}");
    }

    /** The key of a refund is in its body. */
    HttpResponse<String> refund(String key) {
        return write("/refunds/7", "{\"id\":\"" + key + "\"}");
    }

    HttpResponse<String> record(String key) {
        return get("/actuator/idempotency/record?scope=" + SCOPE + "&key="
                + URLEncoder.encode(key, StandardCharsets.UTF_8));
    }

    HttpResponse<String> resolve(String key, String... more) {
        return write("/actuator/idempotency", decision(key, more));
    }

    HttpResponse<String> requeue(String key) {
        return write("/actuator/idempotency/requeue", decision(key));
    }

    private static String decision(String key, String... more) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("scope", SCOPE);
        parameters.put("key", key);
        parameters.put("evidence", "charge ch_9 in the dashboard");
        parameters.put("by", "alice");
        for (int i = 0; i < more.length; i += 2) {
            parameters.put(more[i], more[i + 1]);
        }
        return JSON.writeValueAsString(parameters);
    }

    static JsonNode body(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    static void assertRefused(HttpResponse<String> response, int status, String detail) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.body()).contains(detail);
    }

    void assertState(String key, String state) {
        assertThat(body(record(key)).path("state").asString()).isEqualTo(state);
    }

    @Override
    public void close() {
        running.close();
    }
}
