package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Execution;
import dev.semel.RecordedFailureException;
import dev.semel.Refusal;
import dev.semel.RefusedException;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

@DisplayName("A method of a bean that is @Idempotent")
class IdempotentMethodsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    SemelAutoConfiguration.class,
                    SemelJsonAutoConfiguration.class,
                    SemelMethodAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:");

    record Command(String id, String customer, BigDecimal amount) {}

    record Receipt(int number, String customer, Optional<String> note, List<Map<String, BigDecimal>> lines) {}

    interface Shop {
        List<Receipt> orders(Command command);
    }

    static class Orders implements Shop {

        private final AtomicInteger runs = new AtomicInteger();
        private final CurrentAttempt current;

        Orders(CurrentAttempt current) {
            this.current = current;
        }

        int runs() {
            return runs.get();
        }

        @Override
        @Idempotent(key = "#command.id")
        public List<Receipt> orders(Command command) {
            Map<String, BigDecimal> line = Map.of("total", command.amount());
            return List.of(
                    new Receipt(runs.incrementAndGet(), command.customer(), Optional.of("thanks"), List.of(line)));
        }

        @Idempotent(operation = "cancel-order", key = "#command.id()")
        public void cancel(Command command) {
            runs.incrementAndGet();
        }

        @Idempotent(operation = "ship-order", key = "#p0")
        public CompletionStage<String> ship(long order) {
            return CompletableFuture.supplyAsync(() -> "shipped " + order + " as " + runs.incrementAndGet());
        }

        @Idempotent(operation = "refuse-order", key = "#id")
        public String refuse(String id) throws IOException {
            throw new IOException("no paper, run " + runs.incrementAndGet());
        }

        @Idempotent(operation = "mail", key = "#command.id", payload = "#command.amount", scope = "#command.customer")
        public int mail(Command command) {
            return runs.incrementAndGet();
        }

        @Idempotent(operation = "key-of-attempt", key = "#id")
        public String downstream(String id) {
            return current.get().orElseThrow().downstreamKey("bank");
        }

        @Idempotent(operation = "nothing", key = "#id")
        public String nothing(String id) {
            runs.incrementAndGet();
            return null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Orders orders(CurrentAttempt current) {
            return new Orders(current);
        }
    }

    private static Command command(String id) {
        return new Command(id, "ann", new BigDecimal("12.50"));
    }

    private interface Trial {
        void with(Orders orders) throws Exception;
    }

    private void run(Trial test) {
        runner.withPropertyValues("spring.aop.proxy-target-class=true")
                .withUserConfiguration(Application.class)
                .run(context -> test.with(context.getBean(Orders.class)));
    }

    @Test
    void returns_its_first_result_to_every_caller() {
        run(orders -> {
            List<Receipt> first = orders.orders(command("o-1"));

            assertThat(orders.orders(command("o-1"))).isEqualTo(first);
            assertThat(orders.orders(command("o-2"))).isNotEqualTo(first);
            assertThat(orders.runs()).isEqualTo(2);
        });
    }

    @Test
    void is_found_through_an_interface_too() {
        runner.withPropertyValues("spring.aop.proxy-target-class=false")
                .withUserConfiguration(Application.class)
                .run(context -> {
                    Shop shop = context.getBean(Shop.class);
                    assertThat(shop.orders(command("o-1"))).isEqualTo(shop.orders(command("o-1")));
                });
    }

    @Test
    void may_return_nothing() {
        run(orders -> {
            orders.cancel(command("o-1"));
            orders.cancel(command("o-1"));
            assertThat(orders.nothing("n")).isNull();
            assertThat(orders.nothing("n")).isNull();

            assertThat(orders.runs()).isEqualTo(2);
        });
    }

    @Test
    void may_answer_later() {
        run(orders -> {
            String first = orders.ship(7).toCompletableFuture().get();

            assertThat(orders.ship(7).toCompletableFuture().get())
                    .isEqualTo(first)
                    .isEqualTo("shipped 7 as 1");
        });
    }

    @Test
    void throws_what_it_throws_and_then_what_was_recorded_of_it() {
        run(orders -> {
            assertThatThrownBy(() -> orders.refuse("r"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no paper, run 1");
            assertThatThrownBy(() -> orders.refuse("r"))
                    .isInstanceOf(RecordedFailureException.class)
                    .hasMessageContaining("no paper, run 1");
        });
    }

    @Test
    void refuses_a_key_with_other_arguments() {
        run(orders -> {
            orders.orders(command("o-1"));

            assertThatThrownBy(() -> orders.orders(new Command("o-1", "ann", BigDecimal.ONE)))
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refused -> assertThat(refused.execution())
                                    .isEqualTo(new Execution.Refused<>(new Refusal.Mismatch())));
        });
    }

    @Test
    void has_keys_of_its_own_and_its_owners_have_too() {
        run(orders -> {
            orders.orders(command("o-1"));
            orders.cancel(command("o-1"));
            assertThat(orders.mail(command("o-1"))).isEqualTo(3);
            assertThat(orders.mail(new Command("o-1", "bob", BigDecimal.TEN))).isEqualTo(4);
            assertThat(orders.mail(command("o-1"))).isEqualTo(3);
        });
    }

    @Test
    void compares_its_payload_and_nothing_else() {
        run(orders -> {
            int first = orders.mail(new Command("o-1", "ann", BigDecimal.TEN));

            assertThatThrownBy(() -> orders.mail(new Command("o-1", "ann", BigDecimal.ONE)))
                    .isInstanceOf(RefusedException.class);
            assertThat(orders.mail(new Command("o-1", "ann", BigDecimal.TEN))).isEqualTo(first);
        });
    }

    @Test
    void can_get_its_attempt() {
        run(orders -> assertThat(orders.downstream("a")).isNotBlank());
    }

    @Test
    void needs_a_key_when_it_is_called() {
        run(orders -> assertThatThrownBy(() -> orders.orders(new Command(null, "ann", BigDecimal.ONE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its key \"#command.id\" is null; it must be text"));
    }

    private void failsToStart(Class<?> bean, String message) {
        runner.withBean(bean)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessage(message));
    }

    static class WithoutKey {
        @Idempotent(operation = "x")
        public void run() {}
    }

    static class WithBrokenKey {
        @Idempotent(operation = "x", key = "#id +")
        public void run(String id) {}
    }

    static class WithUnknownVariable {
        @Idempotent(operation = "x", key = "#order.id")
        public void run(String id) {}
    }

    static class WithMono {
        @Idempotent(operation = "x", key = "#id")
        public Mono<String> run(String id) {
            return Mono.empty();
        }
    }

    @Test
    void fails_at_start_with_what_is_wrong() {
        failsToStart(
                WithoutKey.class,
                "@Idempotent on WithoutKey.run: it needs a key, an expression on its arguments such as key ="
                        + " \"#command.id\"");
        failsToStart(
                WithUnknownVariable.class,
                "@Idempotent on WithUnknownVariable.run: its key \"#order.id\" refers to #order, but there are only #id,"
                        + " #p0, #a0, #this, #root");
        failsToStart(
                WithMono.class,
                "@Idempotent on WithMono.run: it returns a Mono, which runs once for each subscriber; return a"
                        + " CompletionStage, or let the filter protect the endpoint");
        runner.withBean(WithBrokenKey.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith(
                                "@Idempotent on WithBrokenKey.run: its key \"#id +\" is not a valid expression: "));
    }

    static class WithBadName {
        @Idempotent(operation = "Ship Order", key = "#id")
        public void run(String id) {}
    }

    @Test
    void fails_at_start_for_an_invalid_name() {
        runner.withBean(WithBadName.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("lower-case letters, digits, dots and dashes"));
    }

    @Test
    void follows_the_policy_that_properties_give_its_operation() {
        runner.withPropertyValues("semel.operations.refuse-order.failures=retry")
                .withUserConfiguration(Application.class)
                .withPropertyValues("spring.aop.proxy-target-class=true")
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    assertThatThrownBy(() -> orders.refuse("r")).hasMessage("no paper, run 1");
                    assertThatThrownBy(() -> orders.refuse("r")).hasMessage("no paper, run 2");
                });
    }
}
