package dev.semel.server.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.fingerprint.Pointer;
import dev.semel.server.gateway.config.WebhookConfig.Subject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The webhook of a route in a configuration file")
class WebhookConfigTest {

    private static final String WHOLE = """
            upstream: http://127.0.0.1:9000
            scope: shared
            routes:
              - name: create-payment
                path: /payments
                webhook:
                  path: /webhooks/payments
                  scheme: stripe
                  secrets: ["${NEW}", "${OLD}"]
                  key: /data/key
                  fence: /data/fence
                  happened: [{pointer: /type, values: [paid], answer: 201, body: /data}]
                  did-not-happen: [{pointer: /type, values: [void]}]
            """;

    private static GatewayConfig parse(String text) {
        return ConfigFile.parse(
                        "gateway.yaml",
                        text,
                        new ConfigFile.Given(null, null, List.of("127.0.0.1"), JwtConfig.NONE),
                        name -> Optional.ofNullable(Map.of(
                                        "NEW",
                                        "whsec_new-s3cret-1234",
                                        "OLD",
                                        "whsec_old-s3cret-1234",
                                        "SHORT",
                                        "s3cret")
                                .get(name)))
                .gateway();
    }

    @Test
    void says_where_events_arrive_how_they_are_signed_and_what_they_mean() {
        WebhookConfig webhook = parse(WHOLE).routes().get(0).webhook();

        assertThat(webhook.path()).isEqualTo("/webhooks/payments");
        assertThat(webhook.subject()).isEqualTo(new Subject.ByKey(Pointer.of("/data/key"), null));
        assertThat(webhook.fence()).isEqualTo(Pointer.of("/data/fence"));
        assertThat(webhook.rules())
                .containsExactly(
                        new LookupRule(
                                new LookupRule.When(Set.of(), Pointer.of("/type"), Set.of("paid")),
                                new LookupRule.Meaning.Happened(201, Pointer.of("/data"))),
                        LookupRule.didNotHappen(LookupRule.When.value("/type", "void")));
        assertThat(webhook.toString()).doesNotContain("s3cret").contains("stripe");
        assertThat(Explanation.of(parse(WHOLE), "POST /payments"))
                .contains("    or settled by events at POST /webhooks/payments, signed as stripe");
        assertThat(Explanation.of(parse(WHOLE), "POST /webhooks/payments"))
                .containsExactly("webhook of route create-payment: not forwarded, signed as stripe, settles outcomes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "path: /webhooks/payments | path: webhooks | 7: routes[0].webhook: 'webhooks' is no path for webhooks",
                "path: /webhooks/payments | path: /a/../b | 7: routes[0].webhook: '/a/../b' is no path for webhooks",
                "path: /webhooks/payments | path: /webhooks/* | 7: routes[0].webhook: '/webhooks/*' is no path for webhooks",
                "path: /webhooks/payments | path: /idempotency/status | 6: routes[0].webhook: the webhook of route create-payment has the path /idempotency/status, which another webhook or the status resource has",
                "scheme: stripe | scheme: paypal | 8: routes[0].webhook.scheme: 'paypal' is none of standard-webhooks, stripe, github",
                "scheme: stripe | scheme: standard-webhooks | 9: routes[0].webhook.secrets: the webhook secret",
                "${OLD} | ${SHORT} | 9: routes[0].webhook.secrets: the secret that the provider signs with must have at least 16 characters",
                "${OLD} | ${NONE} | 9: routes[0].webhook.secrets: the environment variable NONE is not set",
                "key: /data/key | scope: /data/scope | 7: routes[0].webhook: say with one of 'key', 'downstream-key' and 'reference'",
                "key: /data/key | reference: {request: /order} | 10: routes[0].webhook.reference.event: say where an event has it",
                "key: /data/key | key: data | 10: routes[0].webhook.key:",
                "fence: /data/fence | downstream-key: /d | 7: routes[0].webhook: say with one of 'key', 'downstream-key' and 'reference'",
                "fence: /data/fence | scope: /data/scope | 7: routes[0].webhook: an event that says 'did not happen' could be about an earlier attempt",
                "answer: 201 | answer: 99 | 12: routes[0].webhook.happened[0].answer: '99' is no HTTP status",
                "values: [paid] | status: [200] | 12: routes[0].webhook.happened[0].values: say which values mean this",
            })
    void is_refused_with_the_line_the_field_and_what_is_right(String right, String wrong, String message) {
        assertThat(WHOLE).contains(right);

        assertThatThrownBy(() -> parse(WHOLE.replace(right, wrong)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("gateway.yaml:")
                .hasMessageContaining(message)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void is_refused_when_an_event_could_settle_the_request_of_another_owner() {
        String owners = WHOLE.replace("scope: shared", "scope: api-key:X-Api-Key");

        assertThatThrownBy(() -> parse(owners))
                .hasMessageContaining(
                        "gateway.yaml:6: routes[0].webhook: events of route create-payment name a key alone");
        assertThat(parse(owners.replace("fence: /data/fence", "fence: /data/fence\n      scope: /data/scope"))
                        .routes())
                .hasSize(1);
        assertThat(parse(owners.replace("key: /data/key", "downstream-key: /data/key"))
                        .routes())
                .hasSize(1);
    }

    @Test
    void is_refused_where_requests_pass_through() {
        assertThatThrownBy(() -> parse(WHOLE.replace("path: /payments\n", "path: /payments\n    key: none\n")))
                .hasMessageContaining(
                        "gateway.yaml:7: routes[0].webhook: requests of route create-payment pass through");
    }

    @Test
    void is_refused_when_another_route_has_its_path() {
        String second = WHOLE.substring(WHOLE.indexOf("  - name")).replace("create-payment", "create-refund");

        assertThatThrownBy(() -> parse(WHOLE + second))
                .hasMessageContaining("routes[1].webhook: the webhook of route create-refund has the path");
    }
}
