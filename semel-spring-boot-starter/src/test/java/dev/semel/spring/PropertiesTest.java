package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.http.RequestView;
import dev.semel.http.Routes;
import dev.semel.http.key.KeyStrategy;
import dev.semel.key.KeyHygiene;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

@DisplayName("The properties semel.*")
class PropertiesTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SemelAutoConfiguration.class, SemelServletAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:", "semel.reconciler.enabled=false");

    @Test
    void give_each_operation_its_policy_and_the_rest_the_defaults() {
        runner.withPropertyValues(
                        "semel.defaults.lease=45s",
                        "semel.defaults.failures=retry",
                        "semel.operations.create-payment.match=POST /payments",
                        "semel.operations.create-payment.retention=payment",
                        "semel.operations.create-payment.failures=reconcile",
                        "semel.operations.create-payment.max-wait=2s",
                        "semel.operations.send-mail.match=POST /mails",
                        "semel.operations.send-mail.retention=90m",
                        "semel.operations.send-mail.reexecutable=true")
                .run(context -> {
                    Operations operations = context.getBean(Operations.class);
                    Operation payment = operations.named("create-payment");
                    assertThat(payment.retention()).isEqualTo(Retention.PAYMENT.duration());
                    assertThat(payment.failures()).isEqualTo(Failures.RECONCILE);
                    assertThat(payment.maxWait()).isEqualTo(Duration.ofSeconds(2));
                    assertThat(payment.lease()).isEqualTo(Duration.ofSeconds(45));
                    Operation mail = operations.named("send-mail");
                    assertThat(mail.retention()).isEqualTo(Duration.ofMinutes(90));
                    assertThat(mail.failures()).isEqualTo(Failures.RETRY);
                    assertThat(mail.reexecutable()).isTrue();
                });
    }

    @Test
    void configure_how_poor_keys_are_treated() {
        runner.withPropertyValues(
                        "semel.defaults.key-hygiene=ignore",
                        "semel.operations.pay.match=POST /pay",
                        "semel.operations.pay.key-hygiene=refuse",
                        "semel.operations.mail.match=POST /mail")
                .run(context -> {
                    RouteTable table = context.getBean(RouteTable.class);
                    assertThat(hygieneOf(table, "/pay")).isEqualTo(KeyHygiene.REFUSE);
                    assertThat(hygieneOf(table, "/mail")).isEqualTo(KeyHygiene.IGNORE);
                });
        runner.withPropertyValues("semel.operations.pay.match=POST /pay")
                .run(context -> assertThat(hygieneOf(context.getBean(RouteTable.class), "/pay"))
                        .isEqualTo(KeyHygiene.WARN));
        runner.withPropertyValues("semel.operations.pay.match=POST /pay", "semel.operations.pay.key-hygiene=shout")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("semel.operations.pay.key-hygiene")
                        .hasStackTraceContaining("shout"));
    }

    private static KeyHygiene hygieneOf(RouteTable table, String path) {
        return table.build()
                .match(RequestView.of("POST", path).build())
                .orElseThrow()
                .keyHygiene();
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /payments, create-payment",
        "POST, /payments/7/refunds, refund",
        "POST, /payments/7/notes, anything-about-payments",
        "DELETE, /payments/7, anything-about-payments",
        "POST, /webhooks/bank,",
        "PATCH, /elsewhere, http",
        "GET, /payments,",
    })
    void let_the_most_specific_pattern_decide(String method, String path, String operation) {
        runner.withPropertyValues(
                        "semel.operations.anything-about-payments.match=* /payments/**",
                        "semel.operations.create-payment.match=POST /payments",
                        "semel.operations.refund.match=POST|PUT /payments/*/refunds",
                        "semel.unprotected=POST /webhooks/**")
                .run(context -> {
                    Routes routes = context.getBean(RouteTable.class).build();
                    assertThat(routes.match(RequestView.of(method, path).build())
                                    .map(policy -> policy.operation().name()))
                            .isEqualTo(Optional.ofNullable(operation));
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    semel.store=jdbc                              | semel.store | There is no DataSource
                    semel.operations.pay.retention=soon           | semel.operations.pay.retention | Write a duration such as 24h, or one of payment, order
                    semel.operations.pay.lease=1ms                | semel.operations.pay.lease | it must be between PT0.1S
                    semel.defaults.lease=1ms                      | semel.defaults.lease | it must be between PT0.1S
                    semel.operations.pay.match=/payments          | semel.operations.pay.match | such as "POST /payments"
                    semel.operations.pay.match=GET /payments      | semel.operations.pay.match | safe to repeat
                    semel.operations.pay.match=POST /a/{id}       | semel.operations.pay.match | stands for any one segment
                    semel.operations.pay.key=maybe                | semel.operations.pay.key | field:/order/id
                    semel.operations.pay.key=bean:perUser         | semel.operations.pay.key | There is no bean "perUser" of type KeyStrategy; define one.
                    semel.operations.pay.mismatch-status=418      | semel.operations.pay.mismatch-status | 422, 409 or 400
                    semel.operations.pay.max-request-body=3GB     | semel.operations.pay.max-request-body | Use less than 2 GB
                    semel.operations.pay.semantic-fields=a b      | semel.operations.pay.semantic-fields | a b
                    semel.operations.pay.transactional=true       | semel.operations.pay.transactional | no transaction manager
                    semel.defaults.match=POST /payments           | semel.defaults.match | semel.operations.NAME.match
                    semel.unprotected=payments                    | semel.unprotected | such as "POST /payments"
                    semel.http.key-header=no header               | semel.http.key-header | no header
                    semel.http.status-path=status                 | semel.http.status-path | use a plain path
                    semel.pruning.every=0s                        | semel.pruning.every | must be positive
                    """)
    void explain_what_is_wrong_with_a_value_and_what_would_be_right(String property, String named, String advice) {
        String operation =
                property.startsWith("semel.operations.pay.match") ? "" : "semel.operations.pay.match=POST /pay";
        runner.withPropertyValues(operation, property).run(context -> {
            Throwable failure = context.getStartupFailure();
            assertThat(failure).isNotNull();
            assertThat(failure)
                    .rootCause()
                    .isInstanceOfSatisfying(
                            InvalidConfigurationPropertyValueException.class,
                            invalid -> assertThat(invalid.getName()).isEqualTo(named))
                    .hasMessageContaining(advice);
        });
    }

    @Test
    void let_a_bean_find_the_key() {
        WebApplicationContextRunner withBean = runner.withBean(
                        "perUser", KeyStrategy.class, () -> KeyStrategy.userAction("pay", KeyStrategy.contentHash()))
                .withPropertyValues("semel.operations.pay.match=POST /pay");

        withBean.withPropertyValues("semel.operations.pay.key=bean:perUser")
                .run(context -> assertThat(context).hasNotFailed());
        withBean.withPropertyValues(
                        "semel.operations.pay.key=bean:perUser", "semel.operations.pay.in-progress=accepted")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("the key is derived"));
        withBean.withPropertyValues("semel.operations.pay.key=bean:peruser")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("use one of: perUser."));
    }

    @Test
    void refuse_two_operations_for_the_same_requests() {
        runner.withPropertyValues(
                        "semel.operations.one.match=POST /payments", "semel.operations.two.match=POST /payments")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("remove one of the two"));
    }

    @Test
    void never_show_a_password() {
        runner.withPropertyValues("semel.store=postgresql://ann:secret@localhost:1/app?lanes=many")
                .run(context ->
                        assertThat(context).getFailure().rootCause().message().doesNotContain("secret"));
    }

    @Test
    void can_turn_everything_off() {
        runner.withPropertyValues("semel.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(SemelEngine.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"semel.operations.pay.failure=reconcile", "semel.operations.orders.place-order.retention=payment"
            })
    void fail_at_start_when_misspelt(String property) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(property.substring(0, property.indexOf('='))));
    }

    @Test
    void name_operations_with_dots_in_brackets() {
        runner.withPropertyValues(
                        "semel.operations[orders.place-order].match=POST /orders",
                        "semel.operations[orders.place-order].retention=payment")
                .run(context -> assertThat(context.getBean(Operations.class)
                                .named("orders.place-order")
                                .retention())
                        .isEqualTo(Retention.PAYMENT.duration()));
    }

    @Test
    void let_one_method_decide_before_several() {
        runner.withPropertyValues(
                        "semel.operations.change.match=POST|PUT /orders", "semel.operations.replace.match=PUT /orders")
                .run(context -> assertThat(context.getBean(RouteTable.class)
                                .build()
                                .match(RequestView.of("PUT", "/orders").build())
                                .map(policy -> policy.operation().name()))
                        .contains("replace"));
    }
}
