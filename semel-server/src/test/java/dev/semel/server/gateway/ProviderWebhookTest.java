package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.State;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.PathPattern;
import dev.semel.http.RoutePolicy;
import dev.semel.key.KeyHygiene;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.LookupRule;
import dev.semel.server.gateway.config.LookupRule.Meaning;
import dev.semel.server.gateway.config.LookupRule.When;
import dev.semel.server.gateway.config.ResolverConfig;
import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import dev.semel.server.gateway.config.WebhookConfig;
import dev.semel.server.gateway.config.WebhookConfig.Subject;
import dev.semel.server.gateway.config.WebhookSigning;
import dev.semel.testsupport.http.Wire;
import dev.semel.testsupport.stores.FaultyStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An event of a provider")
class ProviderWebhookTest {

    private static final String PATH = "/webhooks/payments";
    private static final Subject BY_KEY = new Subject.ByKey(Pointer.of("/data/key"), null);
    private static final byte[] CUT = new byte[0];

    private final LedgerService service = new LedgerService();
    private final SignedEvents provider = SignedEvents.as(WebhookSigning.STRIPE);
    private @Nullable TestGateway started;

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
        service.close();
    }

    private TestGateway gateway(SignedEvents events, Subject subject, Duration bodyTimeout) {
        WebhookConfig webhook = new WebhookConfig(
                PATH,
                events.scheme().with(List.of(events.secret())),
                subject,
                Pointer.of("/data/fence"),
                List.of(
                        new LookupRule(
                                When.value("/type", "paid"), new Meaning.Happened(201, Pointer.of("/data/payment"))),
                        new LookupRule(When.value("/type", "declined"), new Meaning.Happened(402, null)),
                        LookupRule.didNotHappen(When.value("/type", "void"))));
        GatewayConfig config = new GatewayConfig(
                new ScopeConfig.Shared(),
                JwtConfig.NONE,
                TrustedProxies.NONE,
                GatewayConfig.DEFAULT_KEY_HEADER,
                GatewayConfig.DEFAULT_STATUS_PATH,
                List.of(
                        route("refund", "/refunds", bodyTimeout),
                        route("looked-up", "/looked-up", bodyTimeout)
                                .resolver(ResolverConfig.lookup(service.url() + "/{reference}")
                                        .reference(Pointer.of("/order/id"))
                                        .rule(LookupRule.happened(When.status(200), 201))
                                        .build()),
                        route("pay", "*", bodyTimeout).webhook(webhook)));
        TestGateway gateway = TestGateway.of(config);
        started = gateway;
        return gateway;
    }

    private RouteConfig route(String name, String path, Duration bodyTimeout) {
        return new RouteConfig(
                name,
                Set.of(),
                Set.of(),
                PathPattern.of(path),
                RoutePolicy.of(Operation.named(name))
                        .keyHygiene(KeyHygiene.IGNORE)
                        .build(),
                null,
                UpstreamAddress.parse(service.url()),
                new RouteConfig.Timeouts(
                        TestGateway.LONG, bodyTimeout, TestGateway.LONG, TestGateway.LONG, Duration.ZERO),
                Set.of(RouteConfig.Extra.FENCE, RouteConfig.Extra.DOWNSTREAM_KEY));
    }

    private TestGateway gateway() {
        return gateway(provider, BY_KEY, TestGateway.LONG);
    }

    /** Loses the answer of an attempt, and returns what the service got about it. */
    private LedgerService.Received loseAnswer(TestGateway gateway, String path, String key) {
        LedgerService.Work before = service.work;
        service.work = request -> CUT;
        assertThat(pay(gateway, path, key).text()).contains("idempotency_outcome_unknown");
        service.work = before;
        return new LedgerService.Received("", service.lastHead, "");
    }

    private String loseAnswer(TestGateway gateway, String key) {
        return loseAnswer(gateway, "/payments", key).header("Semel-Fence");
    }

    private static Wire.Reply pay(TestGateway gateway, String path, String key) {
        return new Wire.Request("POST", path)
                .key(key)
                .json("{\"order\":{\"id\":7}}")
                .send(gateway.port());
    }

    private static Wire.Reply pay(TestGateway gateway, String key) {
        return pay(gateway, "/payments", key);
    }

    private static String event(String id, String type, String data) {
        return "{\"id\":\"" + id + "\",\"type\":\"" + type + "\",\"data\":{" + data + ",\"payment\":{\"id\":\"p-7\"}}}";
    }

    private static String event(String id, String type, String key, String fence) {
        return event(id, type, "\"key\":\"" + key + "\",\"fence\":\"" + fence + "\"");
    }

    private Wire.Reply deliver(TestGateway gateway, String id, String body) {
        return provider.delivery(PATH, id, Instant.now(), body).send(gateway.port());
    }

    @ParameterizedTest
    @EnumSource(WebhookSigning.class)
    void settles_what_happened_however_often_it_is_delivered(WebhookSigning scheme) {
        SignedEvents signed = SignedEvents.as(scheme);
        TestGateway gateway = gateway(signed, BY_KEY, TestGateway.LONG);
        String fence = loseAnswer(gateway, "k");
        Wire.Request delivery = signed.delivery(PATH, "e-1", Instant.now(), event("e-1", "paid", "k", fence));

        List<Integer> statuses = IntStream.range(0, 16)
                .parallel()
                .mapToObj(i -> delivery.send(gateway.port()).status())
                .toList();

        assertThat(statuses).contains(200).allMatch(status -> status == 200 || status == 503);
        assertThat(delivery.send(gateway.port()).status()).isEqualTo(200);
        Wire.Reply retry = pay(gateway, "k");
        assertThat(retry.status()).isEqualTo(201);
        assertThat(retry.text()).isEqualTo("{\"id\":\"p-7\"}");
        assertThat(retry.first("Content-Type")).contains("application/json");
        assertThat(service.executions("k")).isEqualTo(1);
        assertThat(service.lines).as("nothing of it is forwarded").noneMatch(line -> line.contains(PATH));
    }

    @Test
    void that_says_declined_settles_too() {
        TestGateway gateway = gateway();
        String fence = loseAnswer(gateway, "k");

        assertThat(deliver(gateway, "e-1", event("e-1", "declined", "k", fence)).status())
                .isEqualTo(200);

        assertThat(pay(gateway, "k").status()).isEqualTo(402);
        assertThat(service.executions("k")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(WebhookSigning.class)
    void that_is_not_signed_settles_nothing_and_the_store_is_not_asked(WebhookSigning scheme) {
        SignedEvents signed = SignedEvents.as(scheme);
        TestGateway gateway = gateway(signed, BY_KEY, TestGateway.LONG);
        String fence = loseAnswer(gateway, "k");
        String body = event("e-1", "paid", "k", fence);
        SignedEvents forger = new SignedEvents(scheme, SignedEvents.SECRET.replace("MDEy", "MDEz"));
        long calls = gateway.storeCalls();

        List<Wire.Request> forged = List.of(
                new Wire.Request("POST", PATH).json(body),
                new Wire.Request("POST", PATH)
                        .json(body)
                        .header("Stripe-Signature", "t=1,v1=")
                        .header("X-Hub-Signature-256", "sha256=")
                        .header("webhook-id", "e-1"),
                forger.delivery(PATH, "e-1", Instant.now(), body),
                signed.delivery(PATH, "e-1", Instant.now(), body)
                        .body("application/json", body.replace("paid", "void").getBytes(StandardCharsets.UTF_8)),
                signed.delivery(PATH, "e-1", Instant.now(), body)
                        .body("application/json", (body + " ").getBytes(StandardCharsets.UTF_8)));

        assertThat(forged)
                .allSatisfy(
                        each -> assertThat(each.send(gateway.port()).status()).isEqualTo(401));
        assertThat(gateway.storeCalls()).isEqualTo(calls);
        assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource(
            value = WebhookSigning.class,
            names = {"STRIPE", "STANDARD_WEBHOOKS"})
    void that_was_signed_long_ago_settles_nothing(WebhookSigning scheme) {
        SignedEvents signed = SignedEvents.as(scheme);
        TestGateway gateway = gateway(signed, BY_KEY, TestGateway.LONG);
        String fence = loseAnswer(gateway, "k");

        Wire.Reply refused = signed.delivery(
                        PATH, "e-1", Instant.now().minus(Duration.ofHours(1)), event("e-1", "paid", "k", fence))
                .send(gateway.port());

        assertThat(refused.status()).isEqualTo(401);
        assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
    }

    @Test
    void that_is_about_something_else_is_accepted_and_changes_nothing() {
        TestGateway gateway = gateway();
        String fence = loseAnswer(gateway, "k");
        String refund = loseAnswer(gateway, "/refunds", "r").header("Semel-Fence");

        List<Wire.Reply> replies = List.of(
                deliver(gateway, "e-1", event("e-1", "customer.created", "k", fence)),
                deliver(gateway, "e-2", event("e-2", "paid", "another-key", fence)),
                deliver(gateway, "e-3", event("e-3", "paid", "\"fence\":" + fence)),
                deliver(gateway, "e-4", event("e-4", "paid", "\"key\":{},\"fence\":" + fence)),
                deliver(gateway, "e-5", event("e-5", "paid", "\"key\":\"\\u0000\",\"fence\":" + fence)),
                deliver(gateway, "e-6", event("e-6", "paid", "k", "1" + fence)),
                deliver(gateway, "e-7", event("e-7", "paid", "k", "-1")),
                deliver(gateway, "e-8", event("e-8", "paid", "\"key\":\"k\"")),
                deliver(gateway, "e-9", event("e-9", "paid", "r", refund)));

        assertThat(replies).allSatisfy(reply -> assertThat(reply.status()).isEqualTo(200));
        assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
        assertThat(gateway.state("r")).as("another operation").isEqualTo(State.UNKNOWN);
    }

    @Test
    void that_is_no_json_or_names_a_member_twice_is_refused() {
        TestGateway gateway = gateway(SignedEvents.as(WebhookSigning.GITHUB), BY_KEY, TestGateway.LONG);
        String fence = loseAnswer(gateway, "k");
        SignedEvents signed = SignedEvents.as(WebhookSigning.GITHUB);

        List<String> bodies = List.of(
                "",
                "payload=%7B%7D",
                "{\"type\":\"paid\"",
                "{\"type\":\"void\",\"type\":\"paid\",\"data\":{\"key\":\"k\",\"fence\":" + fence + ",\"payment\":1}}",
                "[".repeat(100_000));

        for (int i = 0; i < bodies.size(); i++) {
            assertThat(signed.delivery(PATH, "e-" + i, Instant.now(), bodies.get(i))
                            .send(gateway.port())
                            .status())
                    .as("body %d", i)
                    .isEqualTo(400);
        }
        assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
    }

    @Test
    void that_comes_while_the_request_is_in_progress_is_asked_for_again_and_then_settles() throws Exception {
        TestGateway gateway = gateway();
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        service.work = request -> {
            arrived.countDown();
            answer.await();
            return CUT;
        };
        Thread client = new Thread(() -> pay(gateway, "k"));
        client.start();
        arrived.await();
        String fence = new LedgerService.Received("", service.lastHead, "").header("Semel-Fence");
        String body = event("e-1", "paid", "k", fence);

        Wire.Reply early = deliver(gateway, "e-1", body);
        answer.countDown();
        client.join();

        assertThat(early.status()).isEqualTo(503);
        assertThat(early.first("Retry-After")).contains("5");
        assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
        assertThat(deliver(gateway, "e-1", body).status()).isEqualTo(200);
        assertThat(gateway.state("k")).isEqualTo(State.COMPLETED);
        assertThat(service.executions("k")).isEqualTo(1);
    }

    @Test
    void that_says_it_did_not_happen_releases_only_the_attempt_that_it_names() {
        TestGateway gateway = gateway();
        String first = loseAnswer(gateway, "k");
        assertThat(deliver(gateway, "e-1", event("e-1", "void", "k", first)).status())
                .isEqualTo(200);
        assertThat(gateway.state("k")).isEqualTo(State.FAILED_RETRYABLE);
        String second = loseAnswer(gateway, "k");

        assertThat(deliver(gateway, "e-2", event("e-2", "void", "k", first)).status())
                .isEqualTo(200);

        assertThat(second).isNotEqualTo(first);
        assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
        assertThat(service.executions("k")).isEqualTo(2);
    }

    @Test
    void that_contradicts_an_earlier_one_changes_nothing() {
        TestGateway gateway = gateway();
        String fence = loseAnswer(gateway, "k");
        assertThat(deliver(gateway, "e-1", event("e-1", "paid", "k", fence)).status())
                .isEqualTo(200);

        assertThat(deliver(gateway, "e-2", event("e-2", "void", "k", fence)).status())
                .isEqualTo(200);
        assertThat(deliver(gateway, "e-3", event("e-3", "declined", "k", fence)).status())
                .isEqualTo(200);

        assertThat(pay(gateway, "k").status()).isEqualTo(201);
        assertThat(service.executions("k")).isEqualTo(1);
    }

    @Test
    void by_a_field_of_the_request_settles_it() {
        TestGateway gateway = gateway(
                provider,
                new Subject.ByReference(Pointer.of("/order/id"), Pointer.of("/data/order")),
                TestGateway.LONG);
        String fence = loseAnswer(gateway, "k");

        assertThat(deliver(gateway, "e-1", event("e-1", "paid", "\"order\":\"7\",\"fence\":" + fence))
                        .status())
                .isEqualTo(200);

        assertThat(pay(gateway, "k").status()).isEqualTo(201);
        assertThat(service.executions("k")).isEqualTo(1);
    }

    /** The event could be about either: a decline of the second would make its client pay for the first once more. */
    @Test
    void by_a_field_that_requests_with_different_keys_share_settles_neither() {
        TestGateway gateway = gateway(
                provider,
                new Subject.ByReference(Pointer.of("/order/id"), Pointer.of("/data/order")),
                TestGateway.LONG);
        String fence = loseAnswer(gateway, "k1");
        assertThat(pay(gateway, "k2").status()).isEqualTo(201);

        assertThat(deliver(gateway, "e-1", event("e-1", "declined", "\"order\":7,\"fence\":" + fence))
                        .status())
                .isEqualTo(200);

        assertThat(gateway.state("k1")).isEqualTo(State.UNKNOWN);
    }

    @Test
    void by_the_downstream_key_settles_the_request() {
        TestGateway gateway = gateway(provider, new Subject.ByDownstreamKey(Pointer.of("/data/key")), TestGateway.LONG);
        LedgerService.Received sent = loseAnswer(gateway, "/payments", "k");

        assertThat(deliver(
                                gateway,
                                "e-1",
                                event("e-1", "paid", sent.header("Semel-Downstream-Key"), sent.header("Semel-Fence")))
                        .status())
                .isEqualTo(200);

        assertThat(pay(gateway, "k").status()).isEqualTo(201);
        assertThat(service.executions("k")).isEqualTo(1);
    }

    @Test
    void is_asked_for_again_while_the_store_is_down() {
        TestGateway gateway = gateway();
        String fence = loseAnswer(gateway, "k");
        String body = event("e-1", "paid", "k", fence);
        gateway.store.down();
        assertThat(deliver(gateway, "e-1", body).status()).isEqualTo(503);
        gateway.store.up();

        assertThat(deliver(gateway, "e-1", body).status()).isEqualTo(200);

        assertThat(pay(gateway, "k").status()).isEqualTo(201);
    }

    /** What look-ups and events find a request by has to be on record first: an event could come before the answer. */
    @Test
    void whose_request_could_not_be_named_was_not_sent_to_the_service() {
        TestGateway gateway = gateway();
        for (int i = 0; i < 10; i++) {
            gateway.store.failNext(FaultyStore.Verb.STEP, FaultyStore.Fault.REFUSED);
        }

        Wire.Reply refused = pay(gateway, "/looked-up", "k");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("idempotency_outcome_unknown");
        assertThat(service.executions("k")).isZero();
        assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
    }

    @Test
    void that_is_too_long_or_not_posted_is_refused() {
        TestGateway gateway = gateway();

        assertThat(deliver(gateway, "e-1", "\"" + "a".repeat(2 << 20) + "\"").status())
                .isEqualTo(413);
        Wire.Reply got = new Wire.Request("GET", PATH).send(gateway.port());
        assertThat(got.status()).isEqualTo(405);
        assertThat(got.first("Allow")).contains("POST");
    }

    @Test
    void that_stops_in_its_middle_is_refused() throws IOException {
        TestGateway gateway = gateway(provider, BY_KEY, Duration.ofMillis(300));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST " + PATH + " HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{\"id\"")
                            .getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();

            assertThat(Wire.Reply.read(socket.getInputStream()).status()).isEqualTo(408);
        }
    }
}
