package dev.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.http.key.KeyResult;
import dev.semel.http.key.KeyStrategy;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A key derived from content")
class DerivedKeyTest {

    private static final int REQUESTS = 400;
    private static final KeyStrategy CONTENT = KeyStrategy.contentHash();
    private static final InstantSource NOON = InstantSource.fixed(Instant.parse("2026-01-01T12:00:00Z"));

    private static final List<KeyStrategy> STRATEGIES = List.of(
            CONTENT,
            KeyStrategy.timeWindow(Duration.ofDays(1), NOON, CONTENT),
            KeyStrategy.userAction("pay", CONTENT),
            KeyStrategy.fromHeader("X-No-Such-Header").orElse(CONTENT));

    private static RoutePolicyBuilder policy() {
        return RoutePolicy.of(Operation.named("pay"));
    }

    private static List<RoutePolicyBuilder> policies() {
        return List.of(
                policy(),
                policy().fingerprintHeaders("X-Currency"),
                policy().semanticFields("/amount"),
                policy().fingerprintHeaders("X-Currency", "X-Other").semanticFields("/amount", "/to"));
    }

    private static String keyOf(RequestView request, RoutePolicy policy) {
        KeyResult result = policy.key("Idempotency-Key", false).resolve(request.onRoute(policy));
        assertThat(result).isInstanceOf(KeyResult.Found.class);
        return ((KeyResult.Found) result).key().value();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {3, 10008, 20261117})
    void is_the_same_for_two_requests_exactly_when_their_fingerprint_is(long seed) {
        Generator generator = new Generator(new Random(seed));
        Fingerprinter secret = Fingerprinter.hmac("k", "a secret of 16 bytes or more".getBytes(UTF_8));
        for (KeyStrategy strategy : STRATEGIES) {
            for (RoutePolicyBuilder builder : policies()) {
                RoutePolicy policy = builder.keyDerived(strategy).build();
                int same = 0;
                List<String> keys = new ArrayList<>();
                List<String> fingerprints = new ArrayList<>();
                for (int i = 0; i < REQUESTS; i++) {
                    RequestView request = generator.request();
                    keys.add(keyOf(request, policy));
                    fingerprints.add(secret.of(RequestParts.of(request, policy)).value());
                }
                for (int i = 0; i < REQUESTS; i++) {
                    for (int j = 0; j < i; j++) {
                        boolean sameFingerprint = fingerprints.get(i).equals(fingerprints.get(j));
                        assertThat(keys.get(i).equals(keys.get(j))).isEqualTo(sameFingerprint);
                        same += sameFingerprint ? 1 : 0;
                    }
                }
                // The generator makes enough of both kinds.
                assertThat(same).isBetween(20, REQUESTS * REQUESTS / 4);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {4, 9110})
    void never_mismatches_itself(long seed) {
        Generator generator = new Generator(new Random(seed));
        for (RoutePolicyBuilder builder : policies()) {
            RoutePolicy policy = builder.keyFromContent().build();
            try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build()) {
                Gate gate = Gate.on(
                                semel,
                                Routes.builder().protect("*", "*", policy).build(),
                                ScopeStrategy.fixed(Scope.GLOBAL))
                        .build();
                for (int i = 0; i < REQUESTS; i++) {
                    RequestView request = generator.request();
                    if (gate.claim(policy, request) instanceof Decision.Proceed proceed) {
                        proceed.run().settleAndWait(new HandlerResult.Responded(201, Headers.NONE, Body.EMPTY, null));
                    }
                    Answer again = ((Decision.Reply) gate.claim(policy, request)).answer();
                    assertThat(again.status()).isEqualTo(201);
                    assertThat(again.headers().first(Answer.REPLAYED)).hasValue("true");
                }
            }
        }
    }

    @Test
    void counts_only_the_fields_that_the_route_names_also_within_a_time_window() {
        RoutePolicy policy =
                policy().semanticFields("/amount").keyDerived(STRATEGIES.get(1)).build();

        assertThat(keyOf(json("{\"amount\":1,\"at\":1}"), policy))
                .isEqualTo(keyOf(json("{\"at\":2,\"amount\":1.0}"), policy))
                .isNotEqualTo(keyOf(json("{\"amount\":2,\"at\":1}"), policy));
    }

    private static RequestView json(String text) {
        return RequestView.of("POST", "/p")
                .headers(Headers.of("Content-Type", "application/json"))
                .build()
                .withBody(Body.ofText(text));
    }

    /** Requests out of few values, so that many are the same request in another spelling. */
    private static final class Generator {

        private static final List<String> TYPES = List.of(
                "",
                "application/json",
                "Application/JSON; charset=\"UTF-8\"",
                "application/json; charset=iso-8859-1",
                "application/merge-patch+json",
                "text/plain",
                "text/plain; charset=utf-8");
        private static final List<String> BODIES = List.of(
                "{\"amount\":1,\"to\":\"ann\"}",
                "{ \"to\": \"ann\", \"amount\": 1.0 }",
                "{\"amount\":1,\"to\":\"ann\",\"note\":\"x\"}",
                "{\"amount\":2}",
                "{\"amount\":1,\"amount\":2}",
                "");
        private static final List<String> CODINGS = List.of("", "", "identity", "gzip", "br");

        private final Random random;

        Generator(Random random) {
            this.random = random;
        }

        RequestView request() {
            Headers headers = Headers.NONE;
            headers = maybe(headers, "Content-Type", oneOf(TYPES));
            headers = maybe(headers, "X-Currency", oneOf(List.of("", "EUR", "USD")));
            headers = maybe(headers, "x-currency", oneOf(List.of("", "", "EUR")));
            headers = maybe(headers, "X-Unnamed", oneOf(List.of("", "1", "2")));
            String coding = oneOf(CODINGS);
            byte[] body = oneOf(BODIES).getBytes(UTF_8);
            return RequestView.of(oneOf(List.of("POST", "POST", "PUT")), oneOf(List.of("/p", "/p", "/q")))
                    .rawQuery(oneOf(List.of("a=1&b=2", "b=2&a=1", "a=1")))
                    .headers(maybe(headers, "Content-Encoding", coding))
                    .user("ann")
                    .build()
                    .withBody(Body.of(coding.equals("gzip") && random.nextInt(4) > 0 ? gzip(body) : body));
        }

        private static Headers maybe(Headers headers, String name, String value) {
            return value.isEmpty() ? headers : headers.with(name, value);
        }

        private String oneOf(List<String> values) {
            return values.get(random.nextInt(values.size()));
        }

        private static byte[] gzip(byte[] content) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                gzip.write(content);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return out.toByteArray();
        }
    }
}
