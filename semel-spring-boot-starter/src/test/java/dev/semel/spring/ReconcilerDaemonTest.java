package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Codec;
import dev.semel.OutcomeUnknownException;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.Verdict;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@DisplayName("The reconciler of an application")
class ReconcilerDaemonTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SemelAutoConfiguration.class, SemelJsonAutoConfiguration.class, SemelMethodAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:", "semel.reconciler.every=10ms");

    static class Bank {

        private final AtomicInteger calls = new AtomicInteger();

        @Idempotent(operation = "charge", key = "#id")
        public String charge(String id) {
            calls.incrementAndGet();
            throw new OutcomeUnknownException("the line went dead");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Bank bank() {
            return new Bank();
        }

        @Bean
        @ResolvesOutcomesOf("charge")
        OutcomeResolver charges() {
            return unknown -> Verdict.happened(Codec.text(), "\"receipt\"", "the bank's statement");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unnamed {

        @Bean
        OutcomeResolver charges() {
            return unknown -> new Verdict.DidNotHappen("no");
        }
    }

    @Test
    void calls_the_resolvers_that_are_beans() {
        runner.withUserConfiguration(Application.class).run(context -> {
            Bank bank = context.getBean(Bank.class);
            assertThatThrownBy(() -> bank.charge("c-1")).isInstanceOf(OutcomeUnknownException.class);

            await().atMost(Duration.ofMinutes(2))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(bank.charge("c-1")).isEqualTo("receipt"));
            assertThat(context.getBean(ReconcilerDaemon.class).isRunning()).isTrue();
        });
    }

    @Test
    void ends_before_the_engine() {
        ReconcilerDaemon[] seen = new ReconcilerDaemon[1];
        runner.withUserConfiguration(Application.class)
                .run(context -> seen[0] = context.getBean(ReconcilerDaemon.class));
        assertThat(seen[0].isRunning()).isFalse();
    }

    @Test
    void can_be_left_to_other_instances() {
        runner.withUserConfiguration(Application.class)
                .withPropertyValues("semel.reconciler.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(ReconcilerDaemon.class));
    }

    @Test
    void refuses_a_resolver_that_names_no_operation() {
        runner.withUserConfiguration(Unnamed.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("put @ResolvesOutcomesOf(\"operation-name\") on its class"));
    }
}
