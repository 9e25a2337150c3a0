package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.Verdict;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("The operations that properties name")
@ExtendWith(OutputCaptureExtension.class)
class OperationCheckTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SemelAutoConfiguration.class,
                    AopAutoConfiguration.class,
                    SemelJsonAutoConfiguration.class,
                    SemelMethodAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:", "semel.reconciler.enabled=false");

    @EnableAutoConfiguration
    @RestController
    static class Payments {

        @PostMapping("/payments")
        @Idempotent(operation = "create-payment")
        String pay() {
            return "paid";
        }
    }

    @Test
    void are_refused_with_the_nearest_existing_name_when_one_is_misspelt(CapturedOutput output) {
        assertThatThrownBy(() -> RunningApplication.plain(
                        Payments.class, "semel.store=memory:", "semel.operations.create-paymnt.retention=payment"))
                .isInstanceOf(UnusedOperationException.class)
                .hasMessageContaining(
                        "semel.operations.create-paymnt is the policy of an operation that nothing refers to")
                .hasMessageContaining("The nearest existing name is create-payment.");

        assertThat(output.getOut())
                .contains("APPLICATION FAILED TO START")
                .contains("The nearest existing name is create-payment.")
                .contains("semel.operations.create-paymnt.may-be-unused=true")
                .contains("The application refers to: consume, create-payment, http")
                .doesNotContain("\tat dev.semel");
    }

    @Test
    void may_be_referred_to_by_controllers() {
        try (RunningApplication application = RunningApplication.plain(
                Payments.class,
                "semel.store=memory:",
                "semel.operations.create-payment.retention=order",
                "semel.operations.http.retention=api")) {
            assertThat(application.post("/payments", "k", "{}").body()).isEqualTo("paid");
        }
    }

    static class Shipping {

        @Idempotent(operation = "ship-order", key = "#id")
        public String ship(String id) {
            return id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Ships {

        @Bean
        Shipping shipping() {
            return new Shipping();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ShipsLater {

        @Bean
        @Lazy
        Shipping shipping() {
            return new Shipping();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ShipsEachTime {

        @Bean
        @Scope("prototype")
        Shipping shipping() {
            return new Shipping();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Resolves {

        @Bean
        @ResolvesOutcomesOf("ship-order")
        OutcomeResolver resolver() {
            return unknown -> new Verdict.CannotTellYet("asked too early");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Asks {

        @Bean
        Runnable worker(Operations operations) {
            Operation operation = operations.named("ship-order");
            return operation::name;
        }
    }

    /** Uses no properties, and so refers to none. */
    @Configuration(proxyBeanMethods = false)
    static class MadeByHand {

        @Bean
        Operation operation() {
            return Operation.named("ship-order");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Ships.class, ShipsLater.class, ShipsEachTime.class, Resolves.class, Asks.class})
    void may_be_referred_to_by_other_beans(Class<?> configuration) {
        runner.withUserConfiguration(configuration)
                .withPropertyValues("semel.operations.ship-order.retention=order")
                .run(context -> assertThat(context).hasNotFailed());
        runner.withUserConfiguration(configuration)
                .withPropertyValues("semel.operations.shiporder.retention=order")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(UnusedOperationException.class)
                        .hasMessageContaining("The nearest existing name is ship-order."));
    }

    @Test
    void are_not_those_that_take_nothing_from_properties() {
        runner.withUserConfiguration(MadeByHand.class)
                .withPropertyValues("semel.operations.ship-order.retention=order")
                .run(context -> assertThat(context).getFailure().isInstanceOf(UnusedOperationException.class));
    }

    @Test
    void may_be_referred_to_by_code_that_runs_later() {
        runner.withPropertyValues(
                        "semel.operations.ship-order.retention=order", "semel.operations.ship-order.may-be-unused=true")
                .run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues("semel.defaults.may-be-unused=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("semel.operations.NAME.may-be-unused"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "semel.operations.ship-order.key=wibble",
                "semel.operations.ship-order.key=bean:wibble",
                "semel.operations.ship-order.mismatch-status=418",
                "semel.defaults.key=wibble",
            })
    void are_validated_even_if_no_request_uses_them(String property) {
        runner.withPropertyValues("semel.operations.ship-order.may-be-unused=true", "semel.unmatched=ignored", property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                invalid -> assertThat(invalid.getName())
                                        .isEqualTo(property.substring(0, property.indexOf('=')))));
    }

    @ParameterizedTest
    @CsvSource({
        "payment, replay, false, final",
        "PAYMENT, replay, false, final",
        "payment, , false, unknown",
        "payment, reconcile, false, ",
        "payment, retry, false, ",
        "order, replay, false, ",
        "payment, replay, true, ",
        "payment, , true, ",
    })
    void are_warned_of_when_a_payment_that_only_timed_out_is_final_or_waits_for_a_person(
            String retention, @Nullable String failures, boolean transactional, @Nullable String warned) {
        ApplicationContextRunner payments = runner.withPropertyValues(
                "semel.operations.ship-order.match=POST /ships",
                "semel.operations.ship-order.transactional=" + transactional,
                "semel.defaults.retention=" + retention,
                "semel.operations.http.retention=api");
        if (failures != null) {
            payments = payments.withPropertyValues("semel.operations.ship-order.failures=" + failures);
        }
        assertWarned(payments, warned);
        assertWarned(payments.withUserConfiguration(Resolves.class), null);
    }

    private static void assertWarned(ApplicationContextRunner application, @Nullable String warned) {
        try (LogLines log = new LogLines("dev.semel.spring")) {
            application.run(context -> assertThat(context).hasNotFailed());
            if (warned == null) {
                assertThat(log.warnings()).isEmpty();
            } else {
                assertThat(log.warnings())
                        .singleElement(STRING)
                        .contains("operation ship-order ")
                        .containsIgnoringCase("define an OutcomeResolver bean")
                        .contains(
                                warned.equals("final")
                                        ? "Set semel.operations.ship-order.failure-rule to safe"
                                        : "its outcome is unknown until a person settles it");
            }
        }
    }

    static class Carrier {

        private final HttpClient client = HttpClient.newHttpClient();

        HttpClient client() {
            return client;
        }
    }

    static class CallingShipping {

        private final Carrier carrier;

        CallingShipping(Carrier carrier) {
            this.carrier = carrier;
        }

        @Idempotent(operation = "ship-order", key = "#id")
        public String ship(String id) {
            return id + carrier.client().version();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CallsOut {

        @Bean
        Carrier carrier() {
            return new Carrier();
        }

        @Bean
        CallingShipping shipping(Carrier carrier) {
            return new CallingShipping(carrier);
        }
    }

    @Test
    void are_warned_of_when_they_call_out_and_a_call_that_only_timed_out_is_final() {
        ApplicationContextRunner calling = runner.withUserConfiguration(CallsOut.class);
        try (LogLines log = new LogLines("dev.semel.spring")) {
            calling.run(context -> assertThat(context).hasNotFailed());
            assertThat(log.warnings())
                    .singleElement(STRING)
                    .contains("operation ship-order calls out (HttpClient in " + Carrier.class.getName() + ")")
                    .contains("Set semel.operations.ship-order.failure-rule to safe");
        }
        assertWarned(calling.withPropertyValues("semel.operations.ship-order.failure-rule=safe"), "unknown");
        assertWarned(calling.withPropertyValues("semel.operations.ship-order.failures=reconcile"), null);
        assertWarned(calling.withUserConfiguration(Resolves.class), null);
        assertWarned(runner.withUserConfiguration(Ships.class), null);
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                Arguments.of("retention=payment", Failures.RETRY),
                Arguments.of("retention=order", Failures.REPLAY),
                Arguments.of("failure-rule=safe", Failures.RETRY),
                Arguments.of("retention=payment;failure-rule=none", Failures.REPLAY),
                Arguments.of("retention=payment;failures=reconcile", Failures.RECONCILE),
                Arguments.of("failure-rule=safe;failures=reconcile", Failures.RETRY),
                Arguments.of("retention=payment;failures=replay", Failures.REPLAY));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void have_the_safe_rule_where_they_are_payments_or_name_it(String settings, Failures ofRefusal) {
        String[] properties = Arrays.stream(settings.split(";"))
                .map(setting -> "semel.operations.ship-order." + setting)
                .toArray(String[]::new);
        runner.withUserConfiguration(Asks.class).withPropertyValues(properties).run(context -> {
            Operation operation = context.getBean(Operations.class).named("ship-order");
            assertThat(operation.rule().judge(new ConnectException()).orElse(operation.failures()))
                    .isEqualTo(ofRefusal);
        });
    }
}
