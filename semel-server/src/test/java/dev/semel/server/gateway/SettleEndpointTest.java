package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Operation;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.PathPattern;
import dev.semel.http.RoutePolicy;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.LookupRule;
import dev.semel.server.gateway.config.LookupRule.When;
import dev.semel.server.gateway.config.ResolverConfig;
import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.SettleToken;
import dev.semel.server.gateway.config.SettlingConfig;
import dev.semel.server.gateway.config.StoreConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import dev.semel.testsupport.http.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A service settles")
class SettleEndpointTest {

    private static final String TOKEN = "0123456789abcdef-token";
    private static final byte[] CUT = new byte[0];

    private final LedgerService service = new LedgerService();
    private @Nullable GatewayProcess started;

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
        service.close();
    }

    private GatewayProcess gateway(SettlingConfig settling, @Nullable ResolverConfig resolver) {
        GatewayProcess gateway = GatewayProcess.start(
                new StoreConfig("memory:"),
                new GatewayProcess.Listeners(new HostPort("127.0.0.1", 0), new HostPort("127.0.0.1", 0), null),
                config(settling, resolver));
        started = gateway;
        return gateway;
    }

    private GatewayConfig config(SettlingConfig settling, @Nullable ResolverConfig resolver) {
        RouteConfig route = new RouteConfig(
                "pay",
                Set.of(),
                Set.of(),
                PathPattern.of("*"),
                RoutePolicy.of(Operation.named("pay")).build(),
                null,
                UpstreamAddress.parse(service.url()),
                RouteConfig.Timeouts.DEFAULT,
                Set.of(RouteConfig.Extra.FENCE, RouteConfig.Extra.SCOPE));
        return new GatewayConfig(
                        new ScopeConfig.Shared(),
                        JwtConfig.NONE,
                        TrustedProxies.NONE,
                        GatewayConfig.DEFAULT_KEY_HEADER,
                        GatewayConfig.DEFAULT_STATUS_PATH,
                        List.of(resolver == null ? route : route.resolver(resolver)))
                .settling(settling);
    }

    private GatewayProcess gateway() {
        return gateway(new SettlingConfig(SettleToken.of(TOKEN), SettlingConfig.DEFAULT_EVERY), null);
    }

    private static Wire.Reply pay(GatewayProcess gateway, String key) {
        return new Wire.Request("POST", "/payments")
                .key(key)
                .json("{\"order\":\"o-7\"}")
                .send(gateway.address().port());
    }

    /** Loses the answer of an attempt, and returns its fence, which the service got. */
    private String loseAnswer(GatewayProcess gateway, String key) {
        LedgerService.Work before = service.work;
        service.work = request -> CUT;
        assertThat(pay(gateway, key).status()).isEqualTo(409);
        service.work = before;
        assertThat(new LedgerService.Received("", service.lastHead, "").header("Semel-Scope"))
                .isEqualTo("shared");
        return new LedgerService.Received("", service.lastHead, "").header("Semel-Fence");
    }

    private static Wire.Reply settle(GatewayProcess gateway, String token, String json) {
        return new Wire.Request("POST", SettleEndpoint.PATH)
                .header("Authorization", "Bearer " + token)
                .json(json)
                .send(gateway.adminAddress().port());
    }

    private static String happened(String key, String fence, int status) {
        return "{\"scope\":\"shared\",\"key\":\"" + key + "\",\"fence\":" + fence
                + ",\"happened\":true,\"reason\":\"booking 7\",\"response\":{\"status\":" + status
                + ",\"headers\":{\"Content-Type\":\"application/json\"},\"body\":\"{\\\"id\\\":7}\"}}";
    }

    private static String didNotHappen(String key, String fence) {
        return "{\"scope\":\"shared\",\"key\":\"" + key + "\",\"fence\":" + fence
                + ",\"happened\":false,\"reason\":\"rolled back\"}";
    }

    @Test
    void what_happened_and_retries_get_its_response() {
        GatewayProcess gateway = gateway();
        String fence = loseAnswer(gateway, "settled-key-1");

        Wire.Reply first = settle(gateway, TOKEN, happened("settled-key-1", fence, 201));
        Wire.Reply again = settle(gateway, TOKEN, happened("settled-key-1", fence, 201));

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.text()).contains("\"completed\"");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(first.text());
        Wire.Reply retry = pay(gateway, "settled-key-1");
        assertThat(retry.status()).isEqualTo(201);
        assertThat(retry.text()).isEqualTo("{\"id\":7}");
        assertThat(service.executions("settled-key-1")).isEqualTo(1);
        assertThat(settle(gateway, TOKEN, happened("settled-key-1", fence, 202)).text())
                .contains("settle_settled_otherwise");
        assertThat(settle(gateway, TOKEN, didNotHappen("settled-key-1", fence)).text())
                .contains("settle_settled_otherwise");
    }

    @Test
    void what_did_not_happen_and_says_so_again_after_the_next_attempt() {
        GatewayProcess gateway = gateway();
        String fence = loseAnswer(gateway, "settled-key-2");

        Wire.Reply first = settle(gateway, TOKEN, didNotHappen("settled-key-2", fence));
        assertThat(first.status()).isEqualTo(200);
        assertThat(settle(gateway, TOKEN, didNotHappen("settled-key-2", fence)).text())
                .isEqualTo(first.text());
        assertThat(pay(gateway, "settled-key-2").status()).isEqualTo(201);
        assertThat(service.executions("settled-key-2")).isEqualTo(2);

        assertThat(settle(gateway, TOKEN, didNotHappen("settled-key-2", fence)).text())
                .isEqualTo(first.text());
        assertThat(pay(gateway, "settled-key-2").status()).isEqualTo(201);
        assertThat(service.executions("settled-key-2")).isEqualTo(2);
    }

    @Test
    void no_attempt_but_the_one_whose_fence_it_names() {
        GatewayProcess gateway = gateway();
        String fence = loseAnswer(gateway, "settled-key-3");
        assertThat(settle(gateway, TOKEN, didNotHappen("settled-key-3", fence)).status())
                .isEqualTo(200);
        String next = loseAnswer(gateway, "settled-key-3");
        assertThat(Long.parseLong(next)).isGreaterThan(Long.parseLong(fence));

        Wire.Reply stale = settle(gateway, TOKEN, happened("settled-key-3", fence, 201));

        assertThat(stale.status()).isEqualTo(409);
        assertThat(stale.text()).contains("settle_fence_changed").contains("\"fence\":" + next);
        assertThat(pay(gateway, "settled-key-3").text()).contains("idempotency_outcome_unknown");
    }

    @Test
    void one_of_many_contradicting_statements_at_once() {
        GatewayProcess gateway = gateway();
        String fence = loseAnswer(gateway, "settled-key-4");

        List<Integer> statuses = IntStream.range(0, 16)
                .parallel()
                .mapToObj(i -> settle(gateway, TOKEN, happened("settled-key-4", fence, 200 + i))
                        .status())
                .toList();

        assertThat(statuses).containsOnlyOnce(200).containsOnly(200, 409);
    }

    @Test
    void nothing_without_the_token() {
        GatewayProcess gateway = gateway();
        String fence = loseAnswer(gateway, "settled-key-5");

        assertThat(settle(gateway, TOKEN + "x", happened("settled-key-5", fence, 201))
                        .status())
                .isEqualTo(401);
        assertThat(new Wire.Request("POST", SettleEndpoint.PATH)
                        .json(happened("settled-key-5", fence, 201))
                        .send(gateway.adminAddress().port())
                        .status())
                .isEqualTo(401);
        assertThat(pay(gateway, "settled-key-5").text()).contains("idempotency_outcome_unknown");
    }

    @Test
    void nothing_where_no_token_is_configured() {
        GatewayProcess gateway = gateway(SettlingConfig.DEFAULT, null);
        String fence = loseAnswer(gateway, "settled-key-6");

        assertThat(settle(gateway, TOKEN, happened("settled-key-6", fence, 201)).status())
                .isEqualTo(403);
    }

    @Test
    void nothing_that_is_in_progress_or_not_there() throws Exception {
        GatewayProcess gateway = gateway();
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        service.work = request -> {
            arrived.countDown();
            answer.await();
            return LedgerService.created("{}");
        };
        Thread running = new Thread(() -> pay(gateway, "settled-key-7"));
        running.start();
        arrived.await();
        String fence = new LedgerService.Received("", service.lastHead, "").header("Semel-Fence");

        Wire.Reply refused = settle(gateway, TOKEN, didNotHappen("settled-key-7", fence));

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("settle_in_progress");
        assertThat(settle(gateway, TOKEN, didNotHappen("another-key-7", fence)).status())
                .isEqualTo(404);
        answer.countDown();
        running.join();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"scope\":\"shared\"}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":1,\"happened\":true,\"reason\":\"r\"}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":\"1\",\"happened\":false,\"reason\":\"r\"}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":1.5,\"happened\":false,\"reason\":\"r\"}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":1,\"happened\":\"no\",\"reason\":\"r\"}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":1,\"happened\":false,\"reason\":\" \"}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":1,\"happened\":false,\"happened\":true,\"reason\":\"r\"}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":1,\"happened\":false,\"reason\":\"r\",\"fense\":2}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":1,\"happened\":false,\"reason\":\"r\",\"response\":{}}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":1,\"happened\":true,\"reason\":\"r\",\"response\":{\"status\":99}}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":1,\"happened\":true,\"reason\":\"r\",\"response\":{\"status\":201,\"headers\":{\"Set-Cookie\":\"a\"}}}",
                "{\"scope\":\"shared\",\"key\":\"k\",\"fence\":1,\"happened\":true,\"reason\":\"r\",\"response\":{\"status\":201,\"headers\":{\"X\":\"a\\r\\nY: b\"}}}",
            })
    void nothing_with_a_request_that_is_malformed(String json) {
        Wire.Reply refused = settle(gateway(), TOKEN, json);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("settle_invalid");
    }

    @Test
    void nothing_with_a_request_that_is_too_large() {
        assertThat(settle(gateway(), TOKEN, "\"" + "a".repeat(3 << 20) + "\"").status())
                .isEqualTo(413);
    }

    @Test
    @DisplayName("nothing itself where a look-up by a field of the request does, also after a reload")
    void nothing_itself_where_a_look_up_does() {
        ResolverConfig resolver = ResolverConfig.lookup(service.url() + "/payments/{reference}")
                .reference(Pointer.of("/order"))
                .rule(LookupRule.happened(When.status(200), 201))
                .policy(new ReconcilePolicy(Duration.ZERO, Duration.ofMillis(50), Duration.ofMillis(100), 1000))
                .build();
        GatewayProcess gateway = gateway(new SettlingConfig(null, Duration.ofMillis(50)), null);
        loseAnswer(gateway, "settled-key-8");
        service.work = request -> request.line().startsWith("GET /payments/o-7 ")
                ? "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{\"id\":7}".getBytes(StandardCharsets.UTF_8)
                : CUT;

        gateway.reload(config(new SettlingConfig(null, Duration.ofMillis(50)), resolver));
        assertThat(pay(gateway, "settled-key-9").status()).isEqualTo(409);

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            Wire.Reply retry = pay(gateway, "settled-key-9");
            assertThat(retry.status()).isEqualTo(201);
            assertThat(retry.text()).isEqualTo("{\"id\":7}");
        });
        assertThat(service.executions("settled-key-9")).isEqualTo(1);
        assertThat(pay(gateway, "settled-key-8").text())
                .as("its attempt had recorded no reference")
                .contains("idempotency_outcome_unknown");
    }
}
