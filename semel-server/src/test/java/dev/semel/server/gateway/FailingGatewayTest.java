package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Admission;
import dev.semel.http.Gate;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.http.Wire;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A fault of the gateway's own, such as one in a strategy: it must not leave a client without an answer. */
@DisplayName("A request at which the gateway fails")
class FailingGatewayTest {

    private final LedgerService service = new LedgerService();
    private final SemelEngine semel = SemelEngine.on(new MemoryStore()).build();

    @AfterEach
    void close() {
        semel.close();
        service.close();
    }

    /** @param failing whether it fails at the head, and not when it claims */
    private record FaultyRouting(Gate gate, Route route, RoutePolicy policy, boolean failing) implements Routing {

        @Override
        public Optional<Matched> match(RequestTarget target, RequestView head) {
            if (failing) {
                throw new IllegalStateException("failing as the test says");
            }
            return Optional.of(new Matched(route, new Admission.Protect(policy)));
        }

        @Override
        public @Nullable WebhookEndpoint webhook(RequestView head) {
            return null;
        }

        @Override
        public boolean trusts(String address) {
            return false;
        }

        @Override
        public @Nullable String caller(HttpServerRequest request) {
            return null;
        }
    }

    private Gateway start(boolean failing) {
        RoutePolicy policy = RoutePolicy.of(Operation.named("pay")).build();
        ScopeStrategy scopes = input -> {
            throw new IllegalStateException("failing as the test says");
        };
        Gate gate = Gate.on(semel, Routes.builder().protect("POST", "*", policy).build(), scopes)
                .build();
        return Gateway.start(
                TestGateway.anyPort(),
                upstreams -> new FaultyRouting(
                        gate, GatewayContractTest.routeTo(upstreams, service.url()), policy, failing));
    }

    private static Wire.Reply pay(Gateway gateway) {
        return new Wire.Request("POST", "/payments")
                .key("k")
                .json("{}")
                .send(gateway.address().port());
    }

    @Test
    void by_its_head_is_answered_and_not_forwarded() {
        try (Gateway gateway = start(true)) {
            assertThat(pay(gateway).text()).contains("gateway_failed");
            assertThat(service.executions()).isZero();
        }
    }

    @Test
    void while_it_claims_is_answered_and_not_waited_for_at_the_end() {
        try (Gateway gateway = start(false)) {
            assertThat(pay(gateway).text()).contains("gateway_failed");
            assertThat(service.executions()).isZero();
            long before = System.nanoTime();
            gateway.drain(Duration.ofSeconds(60));
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(60));
        }
    }
}
