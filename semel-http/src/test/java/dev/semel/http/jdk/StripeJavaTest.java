package dev.semel.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stripe.StripeClient;
import com.stripe.exception.ApiException;
import com.stripe.exception.IdempotencyException;
import com.stripe.exception.InvalidRequestException;
import com.stripe.model.Customer;
import com.stripe.net.RequestOptions;
import com.stripe.param.CustomerCreateParams;
import com.sun.net.httpserver.HttpExchange;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.Profile;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Stripe's own client library, which was written for Stripe's servers, at an endpoint with the profile of Stripe. */
@DisplayName("stripe-java at an endpoint with the profile of Stripe")
class StripeJavaTest {

    private final SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
    private final AtomicInteger executions = new AtomicInteger();
    private final CountDownLatch slowBegun = new CountDownLatch(1);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private JdkServer server;
    private StripeClient stripe;

    @BeforeEach
    void start() throws IOException {
        Routes routes = Routes.builder()
                .protect(
                        "POST",
                        "/v1/**",
                        RoutePolicy.of(Operation.named("create-customer"))
                                .profile(Profile.STRIPE)
                                .build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fixed(Scope.GLOBAL)).build();
        server = JdkServer.start(new SemelHttpHandler(gate, this::create));
        stripe = StripeClient.builder()
                .setApiKey("sk_test_0")
                .setApiBase("http://127.0.0.1:" + server.port())
                .setMaxNetworkRetries(0)
                .build();
    }

    @AfterEach
    void stop() {
        server.close();
        semel.close();
    }

    private void create(HttpExchange exchange) throws IOException {
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int number = executions.incrementAndGet();
        if (form.contains("slow")) {
            slowBegun.countDown();
            try {
                slowMayEnd.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        byte[] json = ("{\"id\":\"cus_" + number + "\",\"object\":\"customer\"}").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, json.length);
        exchange.getResponseBody().write(json);
        exchange.close();
    }

    private Customer create(String key, String name) throws Exception {
        return stripe.v1()
                .customers()
                .create(
                        CustomerCreateParams.builder().setName(name).build(),
                        RequestOptions.builder().setIdempotencyKey(key).build());
    }

    @Test
    void sees_its_key_in_the_answer_and_the_mark_of_a_replay() throws Exception {
        Customer first = create("a\"quoted", "Ada");
        Customer retry = create("a\"quoted", "Ada");
        assertThat(first.getLastResponse().idempotencyKey()).isEqualTo("a\"quoted");
        assertThat(first.getLastResponse().headers().firstValue("Idempotent-Replayed"))
                .isEmpty();
        assertThat(retry.getId()).isEqualTo(first.getId()).isEqualTo("cus_1");
        assertThat(retry.getLastResponse().idempotencyKey()).isEqualTo("a\"quoted");
        assertThat(retry.getLastResponse().headers().firstValue("Idempotent-Replayed"))
                .hasValue("true");
        assertThat(executions).hasValue(1);
    }

    @Test
    void throws_an_idempotency_exception_for_a_key_of_another_request() throws Exception {
        create("k", "Ada");
        assertThatThrownBy(() -> create("k", "Grace")).isInstanceOfSatisfying(IdempotencyException.class, refused -> {
            assertThat(refused.getStatusCode()).isEqualTo(400);
            assertThat(refused.getCode()).isEqualTo("idempotency_key_reused_with_different_payload");
            assertThat(refused.getMessage()).contains("The key was used before");
        });
        assertThat(executions).hasValue(1);
    }

    @Test
    void is_told_that_the_key_is_in_use_while_a_request_runs() throws Exception {
        CompletableFuture<Customer> first = CompletableFuture.supplyAsync(() -> {
            try {
                return create("k", "slow");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        slowBegun.await();
        assertThatThrownBy(() -> create("k", "slow")).isInstanceOfSatisfying(ApiException.class, refused -> {
            assertThat(refused.getStatusCode()).isEqualTo(409);
            assertThat(refused.getCode()).isEqualTo("idempotency_key_in_use");
            assertThat(refused.getStripeError().getType()).isEqualTo("idempotency_error");
        });
        slowMayEnd.countDown();
        assertThat(first.get().getId()).isEqualTo("cus_1");
        assertThat(create("k", "slow").getId()).isEqualTo("cus_1");
        assertThat(executions).hasValue(1);
    }

    @Test
    void gets_an_invalid_key_as_an_invalid_request() {
        assertThatThrownBy(() -> create("k,k", "Ada"))
                .isInstanceOfSatisfying(
                        InvalidRequestException.class,
                        refused -> assertThat(refused.getCode()).isEqualTo("idempotency_key_invalid"));
        assertThat(executions).hasValue(0);
    }
}
