package dev.semel.server.gateway.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.semel.Codec;
import dev.semel.Identity;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.RecordedResponse;
import dev.semel.reconcile.UnknownOutcome;
import dev.semel.reconcile.Verdict;
import dev.semel.server.gateway.config.LookupRule;
import dev.semel.server.gateway.config.LookupRule.Meaning;
import dev.semel.server.gateway.config.LookupRule.When;
import dev.semel.server.gateway.config.ResolverConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A look-up over HTTP")
class HttpResolverTest {

    private static final String PAID = "{\"id\":7,\"state\":\"paid\",\"payment\":{\"id\":7}}";

    private final HttpServer service = server();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch stalled = new CountDownLatch(1);
    private int status = 200;
    private String body = PAID;
    private Map<String, String> headers = Map.of("Content-Type", "application/json");
    private boolean stalls;

    private static HttpServer server() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void start() {
        service.setExecutor(Executors.newCachedThreadPool());
        service.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("X-Token"));
            headers.forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length + (stalls ? 1 : 0));
            exchange.getResponseBody().write(bytes);
            if (stalls) {
                exchange.getResponseBody().flush();
                await(stalled);
            }
            exchange.close();
        });
        service.start();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        stalled.countDown();
        service.stop(0);
    }

    private String url(String path) {
        return "http://127.0.0.1:" + service.getAddress().getPort() + path;
    }

    private ResolverConfig.Builder standard() {
        return ResolverConfig.lookup(url("/payments/{key}?secret=hush"))
                .header("X-Token", "t0p")
                .rule(LookupRule.happened(When.value("/state", "paid"), 201))
                .rule(new LookupRule(
                        When.value("/state", "declined"), new Meaning.Happened(402, Pointer.of("/payment"))))
                .rule(LookupRule.didNotHappen(When.status(404)))
                .rule(LookupRule.didNotHappen(When.value("/state", "cancelled")))
                .rule(LookupRule.cannotTell(When.value("/state", "pending")));
    }

    private Verdict resolve(ResolverConfig.Builder config, Asked about) {
        try {
            return new HttpResolver(config.build()).resolve(about);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Verdict resolve() {
        return resolve(standard(), new Asked("k-1", null));
    }

    @Test
    void replays_the_whole_answer_when_it_happened_and_keeps_evidence_without_secrets() {
        Verdict verdict = resolve();

        assertThat(verdict).isInstanceOfSatisfying(Verdict.Happened.class, happened -> {
            RecordedResponse recorded =
                    RecordedResponse.from(happened.response()).orElseThrow();
            assertThat(recorded.status()).isEqualTo(201);
            assertThat(new String(recorded.body().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo(PAID);
            assertThat(recorded.headers().first("Content-Type")).contains("application/json");
        });
        assertThat(verdict.detail())
                .contains("GET " + url("/payments/{key}") + " gave 200")
                .contains("/state in [paid]")
                .doesNotContain("hush")
                .doesNotContain("t0p");
        assertThat(asked).containsExactly("GET /payments/k-1?secret=hush t0p");
    }

    @Test
    void replays_the_part_of_the_answer_that_the_rule_names() {
        body = PAID.replace("paid", "declined");

        assertThat(resolve()).isInstanceOfSatisfying(Verdict.Happened.class, happened -> {
            RecordedResponse recorded =
                    RecordedResponse.from(happened.response()).orElseThrow();
            assertThat(recorded.status()).isEqualTo(402);
            assertThat(new String(recorded.body().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"id\":7}");
        });
    }

    @Test
    void believes_that_it_did_not_happen_only_where_a_rule_says_so() {
        status = 404;
        assertThat(resolve()).isInstanceOf(Verdict.DidNotHappen.class);
        status = 200;
        body = "{\"state\":\"cancelled\"}";
        assertThat(resolve()).isInstanceOf(Verdict.DidNotHappen.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | {\"state\":\"pending\"}",
                "200 | {\"state\":\"refunded\"}",
                "200 | {\"state\":null}",
                "200 | {}",
                "200 | [\"paid\"]",
                "200 | <html>paid</html>",
                "200 | {\"state\":\"paid\",\"state\":\"pending\"}",
                "200 | {\"state\":\"paid\"",
                "202 | ''",
                "401 | {\"state\":\"paid\"}",
                "403 | {\"state\":\"cancelled\"}",
                "429 | {\"state\":\"paid\"}",
                "500 | {\"state\":\"paid\"}",
                "503 | ''",
            })
    void cannot_tell_from_any_other_answer(int answered, String content) {
        status = answered;
        body = content;

        assertThat(resolve()).isInstanceOf(Verdict.CannotTellYet.class);
    }

    @Test
    void cannot_tell_when_rules_disagree() {
        ResolverConfig.Builder config = standard().rule(LookupRule.didNotHappen(When.value("/payment/id", "7")));

        assertThat(resolve(config, new Asked("k-1", null)).detail()).contains("rules of different meanings");
    }

    @Test
    void follows_no_redirect() throws IOException {
        HttpServer other = server();
        List<String> askedThere = new CopyOnWriteArrayList<>();
        other.createContext("/", exchange -> {
            askedThere.add(exchange.getRequestURI().toString());
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        other.start();
        try {
            status = 302;
            body = "";
            headers =
                    Map.of("Location", "http://127.0.0.1:" + other.getAddress().getPort() + "/");

            assertThat(resolve()).isInstanceOf(Verdict.CannotTellYet.class);
            assertThat(askedThere).isEmpty();
        } finally {
            other.stop(0);
        }
    }

    @Test
    void cannot_tell_from_an_answer_that_is_too_long_or_encoded() {
        assertThat(resolve(standard().maxBytes(PAID.length() - 1), new Asked("k-1", null))
                        .detail())
                .contains("is longer than");
        headers = Map.of("Content-Encoding", "gzip");
        assertThat(resolve().detail()).contains("Content-Encoding");
    }

    @Test
    void ends_in_time_when_the_answer_does_not() {
        stalls = true;

        assertThatThrownBy(() -> new HttpResolver(
                                standard().timeout(Duration.ofMillis(200)).build())
                        .resolve(new Asked("k-1", null)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no whole answer within");
    }

    @Test
    void fails_without_its_url_in_the_message_when_the_service_is_down() {
        service.stop(0);

        assertThatThrownBy(() -> new HttpResolver(standard().build()).resolve(new Asked("k-1", null)))
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining("hush");
    }

    @Test
    void encodes_what_a_client_has_chosen() {
        resolve(standard(), new Asked("a/b?c=d&e#f%2e g", null));

        assertThat(asked).containsExactly("GET /payments/a%2Fb%3Fc%3Dd%26e%23f%252e%20g?secret=hush t0p");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "../admin", "a/../b", "a\\..\\b"})
    void does_not_ask_with_a_key_that_leads_elsewhere(String key) {
        assertThat(resolve(standard(), new Asked(key, null))).isInstanceOf(Verdict.CannotTellYet.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void asks_by_the_recorded_reference_or_not_at_all() {
        ResolverConfig.Builder byOrder = ResolverConfig.lookup(url("/orders/{reference}"))
                .reference(Pointer.of("/order"))
                .rule(LookupRule.happened(When.status(200), 201));

        assertThat(resolve(byOrder, new Asked("k-1", null))).isInstanceOf(Verdict.CannotTellYet.class);
        assertThat(resolve(byOrder, new Asked("k-1", ""))).isInstanceOf(Verdict.CannotTellYet.class);
        assertThat(asked).isEmpty();
        assertThat(resolve(byOrder, new Asked("k-1", "o 7"))).isInstanceOf(Verdict.Happened.class);
        assertThat(asked).containsExactly("GET /orders/o%207 null");
    }

    /** An unknown outcome of the scope {@code shared}. */
    private record Asked(String key, @Nullable String reference) implements UnknownOutcome {

        @Override
        public Identity identity() {
            return Identity.of("shared", key);
        }

        @Override
        public String operation() {
            return "pay";
        }

        @Override
        public long fence() {
            return 1;
        }

        @Override
        public String reason() {
            return "upstream_connection_lost";
        }

        @Override
        public Duration age() {
            return Duration.ZERO;
        }

        @Override
        public int tries() {
            return 1;
        }

        @Override
        public String downstreamKey(String purpose) {
            return "derived-" + purpose;
        }

        @Override
        public <T> Optional<T> recordedStep(String name, Codec<T> codec) {
            return Optional.ofNullable(reference).map(text -> codec.decode(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DELETE | http://h/{key} | could change something",
                "GET | http://h/payments | does not say which request it is about",
                "GET | http://{key}/payments | has a place before its path",
                "GET | ftp://h/{key} | does not begin with http://",
                "GET | http://user:pw@h/{key} | send them in the header Authorization",
                "GET | http://h/a/../{key} | has a segment",
                "GET | http://h/{key}#x | has a fragment",
                "GET | http://h/{order} | is none of {key}, {downstreamKey}, {scope}, {reference}",
                "GET | http://h/{key | has a brace without its counterpart",
                "GET | http://h/{reference} | needs the pointer to a field",
                "HEAD | http://h/{key} | the answer to HEAD has no body",
            })
    void is_refused_when_it_could_mislead(String method, String url, String message) {
        assertThatThrownBy(() -> ResolverConfig.lookup(url)
                        .method(method)
                        .rule(LookupRule.happened(When.status(200), 201))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 301, 400, 401, 403, 429, 500, 503})
    void takes_no_error_for_proof_that_nothing_happened(int answered) {
        assertThatThrownBy(() -> LookupRule.didNotHappen(new When(Set.of(answered), null, Set.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not say that nothing happened");
    }
}
