package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Operation;
import dev.semel.http.InProgressAnswer;
import dev.semel.http.PathPattern;
import dev.semel.http.RoutePolicy;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.StoreConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import dev.semel.testsupport.http.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A new configuration")
class ReloadTest {

    private static final byte[] UNAVAILABLE =
            "HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final LedgerService service = new LedgerService();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private final GatewayProcess gateway = GatewayProcess.start(
            new StoreConfig("memory:"),
            new GatewayProcess.Listeners(new HostPort("127.0.0.1", 0), new HostPort("127.0.0.1", 0), null),
            config(new ScopeConfig.Shared(), policy -> policy));

    @AfterEach
    void stop() {
        answer.countDown();
        gateway.close();
        service.close();
    }

    private GatewayConfig config(ScopeConfig scope, UnaryOperator<RoutePolicyBuilder> policy) {
        return new GatewayConfig(
                scope,
                JwtConfig.NONE,
                TrustedProxies.NONE,
                GatewayConfig.DEFAULT_KEY_HEADER,
                GatewayConfig.DEFAULT_STATUS_PATH,
                List.of(new RouteConfig(
                        "pay",
                        Set.of(),
                        Set.of(),
                        PathPattern.of("*"),
                        policy.apply(RoutePolicy.of(Operation.named("pay"))).build(),
                        null,
                        UpstreamAddress.parse(service.url()),
                        RouteConfig.Timeouts.DEFAULT,
                        Set.of())));
    }

    private Wire.Reply pay(String key) {
        return new Wire.Request("POST", "/payments")
                .key(key)
                .json("{}")
                .send(gateway.address().port());
    }

    private CompletableFuture<Wire.Reply> payInFlight(String key) throws InterruptedException {
        service.work = request -> {
            arrived.countDown();
            answer.await();
            return UNAVAILABLE;
        };
        CompletableFuture<Wire.Reply> inFlight = CompletableFuture.supplyAsync(() -> pay(key));
        arrived.await();
        return inFlight;
    }

    @Test
    void is_for_requests_that_begin_later_and_those_in_flight_keep_theirs() throws Exception {
        CompletableFuture<Wire.Reply> inFlight = payInFlight("in-flight-key-1");

        gateway.reload(config(new ScopeConfig.Shared(), policy -> policy.notExecutedOn(503)));
        answer.countDown();

        assertThat(inFlight.get().status()).isEqualTo(503);
        assertThat(pay("in-flight-key-1").replayed())
                .as("recorded, as the old one says")
                .isTrue();
        assertThat(service.executions("in-flight-key-1")).isEqualTo(1);
        assertThat(pay("a-later-key-1").status()).isEqualTo(503);
        assertThat(pay("a-later-key-1").replayed())
                .as("released, as the new one says")
                .isFalse();
        assertThat(service.executions("a-later-key-1")).isEqualTo(2);
    }

    @Test
    void changes_what_duplicates_of_a_running_request_get() throws Exception {
        CompletableFuture<Wire.Reply> inFlight = payInFlight("in-flight-key-2");
        assertThat(pay("in-flight-key-2").status()).isEqualTo(409);

        gateway.reload(config(new ScopeConfig.Shared(), policy -> policy.inProgress(InProgressAnswer.ACCEPTED)));

        Wire.Reply accepted = pay("in-flight-key-2");
        assertThat(accepted.status()).isEqualTo(202);
        String location = accepted.first("Location").orElseThrow();
        assertThat(accepted.first("Retry-After")).isPresent();
        Wire.Reply status = new Wire.Request("GET", location)
                .key("in-flight-key-2")
                .send(gateway.address().port());
        assertThat(status.status()).isEqualTo(202);
        answer.countDown();
        inFlight.join();
        assertThat(service.executions("in-flight-key-2")).isEqualTo(1);
    }

    @Test
    void that_cannot_be_put_in_force_leaves_the_old_one_as_it_is() {
        assertThatThrownBy(() -> gateway.reload(config(new ScopeConfig.Mtls(), policy -> policy.notExecutedOn(503))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("client-ca");
        service.work = request -> UNAVAILABLE;

        assertThat(pay("an-old-key-1").status()).isEqualTo(503);
        assertThat(pay("an-old-key-1").replayed()).isTrue();
    }
}
