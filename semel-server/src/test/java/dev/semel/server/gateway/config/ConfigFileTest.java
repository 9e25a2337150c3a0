package dev.semel.server.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Failures;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.Headers;
import dev.semel.http.InProgressAnswer;
import dev.semel.http.RoutePolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A configuration file")
class ConfigFileTest {

    private static final String WHOLE = """
            listen: 127.0.0.1:8000
            store: postgresql://semel:${PASSWORD}@db/semel
            upstream: http://127.0.0.1:9000
            scope: header:X-Account
            trusted-proxies: [10.0.0.0/8, 127.0.0.1]
            routes:
              - name: search
                methods: POST
                path: /payments/search
                key: none
              - name: create-payment
                methods: [POST, PATCH]
                hosts: API.example.org
                path: /payments/**
                upstream: h2c://127.0.0.1:9001/base
                scope: shared
                key-rules: {min-length: 16}
                retention: payment
                lease: 10s
                wait: 5s
                in-progress: accepted
                failures: reconcile
                not-executed-on: [503]
                limits: {request: 64KiB, kept-answer: 2MiB}
                timeouts: {connect: 1s, answer: 90s}
                send: [fence, downstream-key]
                resolver:
                  url: https://pay.example/{key}?account={scope}
                  headers: {Authorization: "Bearer ${PASSWORD}"}
                  happened: [{status: [200], pointer: /state, values: [paid], answer: 201, body: /payment}]
                  did-not-happen: [{status: [404]}]
                  settle-window: 1h
                  tries: 40
            settle: {token: "${PASSWORD}-of-the-service", every: 1s}
            """;

    private static FileConfig parse(String text) {
        return ConfigFile.parse(
                "gateway.yaml",
                text,
                new ConfigFile.Given(null, null, List.of(), JwtConfig.NONE),
                name -> Optional.ofNullable(Map.of("PASSWORD", "s3cret").get(name)));
    }

    @Test
    void says_how_often_to_prune() {
        String seldom = WHOLE.replace("listen: 127.0.0.1:8000", "prune-every: 1h");

        assertThat(parse(WHOLE).pruneEvery()).isEqualTo(Duration.ofMinutes(10));
        assertThat(parse(seldom).pruneEvery()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void sets_everything_that_it_names() {
        FileConfig config = parse(WHOLE);

        assertThat(config.listen()).isEqualTo(new HostPort("127.0.0.1", 8000));
        assertThat(config.store()).isEqualTo("postgresql://semel:s3cret@db/semel");
        assertThat(config.gateway().scope()).isEqualTo(new ScopeConfig.Header("X-Account"));
        assertThat(config.gateway().trustedProxies().contains("10.1.2.3")).isTrue();
        assertThat(config.gateway().trustedProxies().contains("11.1.2.3")).isFalse();
        assertThat(config.gateway().routes().get(0).policy()).isNull();
        RouteConfig route = config.gateway().routes().get(1);
        assertThat(route.methods()).containsExactlyInAnyOrder("POST", "PATCH");
        assertThat(route.hosts()).containsExactly("api.example.org");
        assertThat(route.upstream()).hasToString("h2c://127.0.0.1:9001/base");
        assertThat(route.scope()).isEqualTo(new ScopeConfig.Shared());
        assertThat(route.timeouts().answer()).isEqualTo(Duration.ofSeconds(90));
        assertThat(route.timeouts().lateAnswer()).isEqualTo(Duration.ofMinutes(10));
        assertThat(route.extras()).containsExactlyInAnyOrder(RouteConfig.Extra.FENCE, RouteConfig.Extra.DOWNSTREAM_KEY);
        RoutePolicy policy = route.policy();
        assertThat(policy.operation().name()).isEqualTo("create-payment");
        assertThat(policy.operation().retention()).isEqualTo(Duration.ofDays(7));
        assertThat(policy.operation().lease()).isEqualTo(Duration.ofSeconds(10));
        assertThat(policy.operation().maxWait()).isEqualTo(Duration.ofSeconds(5));
        assertThat(policy.inProgress()).isEqualTo(InProgressAnswer.ACCEPTED);
        assertThat(policy.maxRequestBody()).isEqualTo(65_536);
        assertThat(policy.maxRecordedResponse()).isEqualTo(2_097_152);
        assertThat(policy.judge(503, Headers.NONE)).isEqualTo(Failures.RETRY);
        assertThat(policy.judge(504, Headers.NONE)).isEqualTo(Failures.RECONCILE);
        assertThat(policy.judge(201, Headers.NONE)).isEqualTo(Failures.REPLAY);
    }

    @Test
    void says_how_unknown_outcomes_are_settled() {
        GatewayConfig config = parse(WHOLE).gateway();

        assertThat(config.settling().every()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.settling().token().matches("s3cret-of-the-service")).isTrue();
        assertThat(config.settling().token().matches("s3cret-of-the-servicf")).isFalse();
        ResolverConfig resolver = config.routes().get(1).resolver();
        assertThat(resolver).hasToString("GET https://pay.example/{key}");
        assertThat(resolver.headers()).containsEntry("Authorization", new LookupTemplate("Bearer s3cret"));
        assertThat(resolver.policy().settleWindow()).isEqualTo(Duration.ofHours(1));
        assertThat(resolver.policy().maxTries()).isEqualTo(40);
        assertThat(resolver.rules())
                .containsExactly(
                        new LookupRule(
                                new LookupRule.When(Set.of(200), Pointer.of("/state"), Set.of("paid")),
                                new LookupRule.Meaning.Happened(201, Pointer.of("/payment"))),
                        LookupRule.didNotHappen(LookupRule.When.status(404)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lease: 10s | leese: 10s | 19: routes[1].leese: there is no such field; did you mean lease.",
                "lease: 10s | lease: soon | 19: routes[1].lease: 'soon' is no duration; use a number with ms, s, m, h or d",
                "lease: 10s | lease: 1ms | 11: routes[1].name: operation create-payment: lease is PT0.001S, it must be between",
                "retention: payment | retention: paiment | 18: routes[1].retention: 'paiment' is no retention; use a duration such as 24h, or one of payment, order",
                "failures: reconcile | failures: ignore | 22: routes[1].failures: 'ignore' is none of replay, retry, reconcile",
                "not-executed-on: [503] | not-executed-on: [200] | 23: routes[1].not-executed-on: route of create-payment: status 200 cannot say that nothing was executed",
                "path: /payments/** | path: payments | 14: routes[1].path: path pattern \"payments\": begin with a slash",
                "scope: shared | scope: cookie | 16: routes[1].scope: scope 'cookie' is none of: shared",
                "scope: header:X-Account | drain: 5s | scope: it must be said whom keys belong to: shared",
                "upstream: http://127.0.0.1:9000 | drain: 5s | 7: routes[0].upstream: no service is given",
                "upstream: http://127.0.0.1:9000 | upstream: localhost:9000 | 3: upstream: upstream 'localhost:9000' does not begin with http://",
                "listen: 127.0.0.1:8000 | prune-every: 0s | 1: prune-every: '0s' is not positive",
                "store: postgresql://semel:${PASSWORD}@db/semel | store: ${NONE} | 2: store: the environment variable NONE is not set",
                "trusted-proxies: [10.0.0.0/8, 127.0.0.1] | trusted-proxies: [proxy.local] | 5: trusted-proxies: 'proxy.local' is no address of a proxy",
                "trusted-proxies: [10.0.0.0/8, 127.0.0.1] | drain: 5s | 4: scope: the header X-Account is chosen by the client unless a proxy sets it",
                "scope: header:X-Account | scope: jwt:sub | 4: scope: jwt:sub needs the keys of the issuer: name their file or URL as jwt.jwks",
                "scope: shared | scope: jwt:sub | 16: routes[1].scope: jwt:sub needs the keys of the issuer",
                "scope: shared | scope: mtls | 16: routes[1].scope: mtls needs certificates of clients: name who signs them as tls.client-ca",
                "listen: 127.0.0.1:8000 | replay-check: {claim: role, value: teller} | 1: replay-check: the claim role needs the keys of the issuer",
                "name: search | name: create-payment | 11: routes[1].name: another route has the name create-payment already",
                "send: [fence, downstream-key] | send: [fense] | 26: routes[1].send: 'fense' is none of attempt, fence, downstream-key",
                "limits: {request: 64KiB, kept-answer: 2MiB} | limits: {request: 64GB} | 24: routes[1].limits.request: '64GB' is no size",
                "timeouts: {connect: 1s, answer: 90s} | timeouts: [1s] | 25: routes[1].timeouts: here fields are expected",
                "methods: POST | methods: post | 8: routes[0].methods: 'post' is no method; use upper case",
                "key: none | key: maybe | 10: routes[0].key: 'maybe' is none of required, optional, content, field:/order/id, none",
                "lease: 10s | wait: 1s | 20: routes[1].wait: this field is given twice",
                "settle-window: 1h | settle-window: 30d | 28: routes[1].resolver: operation create-payment: 40 tries can be over after",
                "did-not-happen: [{status: [404]}] | did-not-happen: [{status: [500]}] | 31: routes[1].resolver.did-not-happen[0]: the status 500 does not say that nothing happened",
                "url: https://pay.example/{key}?account={scope} | method: GET | 28: routes[1].resolver.url: a resolver needs a URL",
                "url: https://pay.example/{key}?account={scope} | url: https://pay.example/{id} | 28: routes[1].resolver.url: '{id}' in",
                "every: 1s | every: never | 34: settle.every: 'never' is no duration",
                "listen: 127.0.0.1:8000 | listen: 127.0.0.1:99999 | 1: listen: '127.0.0.1:99999' is no address to listen on",
            })
    void is_refused_with_the_line_the_field_and_what_is_right(String right, String wrong, String message) {
        assertThat(WHOLE).contains(right);
        String where = message.matches("[0-9].*") ? "gateway.yaml:" : "gateway.yaml";

        assertThatThrownBy(() -> parse(WHOLE.replaceFirst(Pattern.quote(right), wrong.replace("$", "\\$"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(where)
                .hasMessageContaining(message)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void is_refused_when_a_look_up_could_find_the_request_of_another_owner() {
        String byKeyAlone = WHOLE.replace("?account={scope}", "");

        assertThat(parse(byKeyAlone).gateway().routes()).hasSize(2);
        assertThatThrownBy(() -> parse(byKeyAlone.replace("scope: shared", "scope: api-key:X-Api-Key")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "gateway.yaml:27: routes[1].resolver: the look-up of route create-payment asks by {key}"
                                + " alone");
    }

    @Test
    void wins_nothing_over_the_command_line() {
        FileConfig config = ConfigFile.parse(
                "gateway.yaml",
                """
                        upstream: http://127.0.0.1:2
                        scope: api-key:X-Api-Key
                        jwt: {jwks: file.json}
                        routes: [{name: all, path: "*"}]
                        """,
                new ConfigFile.Given(
                        UpstreamAddress.parse("http://127.0.0.1:1"),
                        new ScopeConfig.Shared(),
                        List.of(),
                        new JwtConfig("given.json", null, null)),
                name -> Optional.empty());

        assertThat(config.gateway().routes().get(0).upstream().port()).isEqualTo(1);
        assertThat(config.gateway().scope()).isEqualTo(new ScopeConfig.Shared());
        assertThat(config.gateway().jwt().jwks()).isEqualTo("given.json");
    }

    @Test
    void says_which_route_a_request_takes_and_why() {
        assertThat(Explanation.of(parse(WHOLE).gateway(), "POST https://api.example.org/payments/7"))
                .startsWith(
                        "route search: not this one, its path is /payments/search",
                        "route create-payment: matches",
                        "  service: h2c://127.0.0.1:9001/base",
                        "  key: required, in Idempotency-Key")
                .contains("  5xx: reconcile", "  duplicates: wait PT5S, then accepted");
        assertThat(Explanation.of(parse(WHOLE).gateway(), "POST /payments/search"))
                .containsExactly(
                        "route search: matches",
                        "  service: http://127.0.0.1:9000",
                        "  not protected: the route says so");
        assertThat(Explanation.of(parse(WHOLE).gateway(), "PUT /payments/7")).endsWith("no route matches: 404");
    }

    @Test
    void of_the_documentation_is_valid() throws IOException {
        String page = Files.readString(Path.of("../docs/how-to/gateway.md"));
        List<String> files = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(block -> block.group(1)
                        .replaceAll("SEMEL_PASSWORD|PAY_TOKEN", "PASSWORD")
                        .replace("${WEBHOOK_SECRET}", "whsec_0123456789"))
                // A part of a file.
                .map(block -> block.startsWith("limits:") ? WHOLE + block : block)
                .toList();
        List<FileConfig> configs = files.stream().map(ConfigFileTest::parse).toList();

        GatewayConfig routes = configs.get(0).gateway();
        GatewayConfig lookup = configs.get(configs.size() - 2).gateway();
        GatewayConfig webhook = configs.get(configs.size() - 1).gateway();

        assertThat(configs).hasSize(5);
        assertThat(Explanation.of(routes, "POST /payments")).contains("route create-payment: matches");
        assertThat(Explanation.of(routes, "PUT /orders/7")).contains("route everything-else: matches");
        assertThat(Explanation.of(lookup, "POST /payments"))
                .contains("  unknown outcomes: looked up with GET"
                        + " https://pay.example.org/accounts/{scope}/payments/{reference}");
        assertThat(Explanation.of(webhook, "POST /payments"))
                .contains("    or settled by events at POST /webhooks/payments, signed as stripe");
    }

    @Test
    void sets_the_limits_of_clients_and_the_access_log() {
        FileConfig config =
                parse(WHOLE + "limits: {headers: 16KiB, connections: 100, stalled: 5s}\naccess-log: a.log\n");

        assertThat(config.limits())
                .isEqualTo(new LimitsConfig(
                        16 << 10,
                        LimitsConfig.DEFAULT.requestLine(),
                        100,
                        LimitsConfig.DEFAULT.requests(),
                        LimitsConfig.DEFAULT.head(),
                        LimitsConfig.DEFAULT.idle(),
                        Duration.ofSeconds(5)));
        assertThat(config.accessLog()).isEqualTo(new AccessLogConfig.ToFile(Path.of("a.log")));
        assertThatThrownBy(() -> parse(WHOLE + "limits: {requests: 0}"))
                .hasMessageContaining("at least one connection");
    }
}
