package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.semel.Operation;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.Verdict;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        "payment, replay, false, true",
        "PAYMENT, replay, false, true",
        "payment, reconcile, false, false",
        "payment, retry, false, false",
        "order, replay, false, false",
        "payment, replay, true, false",
    })
    void are_warned_of_when_a_payment_that_only_timed_out_is_final(
            String retention, String failures, boolean transactional, boolean warned) {
        ApplicationContextRunner payments = runner.withPropertyValues(
                "semel.operations.ship-order.match=POST /ships",
                "semel.operations.ship-order.transactional=" + transactional,
                "semel.defaults.retention=" + retention,
                "semel.operations.ship-order.failures=" + failures,
                "semel.operations.http.retention=api");
        try (LogLines log = new LogLines("dev.semel.spring")) {
            payments.run(context -> assertThat(context).hasNotFailed());
            if (warned) {
                assertThat(log.warnings())
                        .singleElement(STRING)
                        .contains("operation ship-order is a payment")
                        .contains("Set semel.operations.ship-order.failures to reconcile");
            } else {
                assertThat(log.warnings()).isEmpty();
            }
        }
        try (LogLines log = new LogLines("dev.semel.spring")) {
            payments.withUserConfiguration(Resolves.class)
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(log.warnings()).isEmpty();
        }
    }
}
