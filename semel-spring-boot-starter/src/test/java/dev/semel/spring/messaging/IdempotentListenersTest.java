package dev.semel.spring.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.messaging.amqp.spring.RabbitInboxAdvice;
import dev.semel.messaging.kafka.spring.IdempotentKafkaListener;
import dev.semel.messaging.kafka.spring.KafkaInboxAdvice;
import dev.semel.spring.Boot;
import dev.semel.spring.SemelAutoConfiguration;
import jakarta.jms.ConnectionFactory;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

@DisplayName("The container factories of idempotent listeners")
class IdempotentListenersTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    Boot.KAFKA,
                    Boot.RABBIT,
                    Boot.JMS,
                    SemelAutoConfiguration.class,
                    SemelInboxAutoConfiguration.class,
                    SemelListenerSettingsAutoConfiguration.class,
                    SemelKafkaAutoConfiguration.class,
                    SemelRabbitAutoConfiguration.class,
                    SemelJmsAutoConfiguration.class))
            .withBean(ConnectionFactory.class, () -> new ActiveMQConnectionFactory("vm://0"))
            .withPropertyValues(
                    "semel.store=memory:",
                    "semel.reconciler.enabled=false",
                    "spring.kafka.listener.auto-startup=false",
                    "spring.rabbitmq.listener.simple.auto-startup=false",
                    "spring.rabbitmq.listener.direct.auto-startup=false",
                    "spring.jms.listener.auto-startup=false");

    /** A listener that names the idempotent factory, and one that does not. */
    static class KafkaOrders {

        @KafkaListener(
                id = "marked",
                topics = "orders",
                groupId = "mailer",
                containerFactory = IdempotentListeners.KAFKA)
        void marked(String order) {}

        @KafkaListener(id = "plain", topics = "orders", groupId = "audit")
        void plain(String order) {}
    }

    private static ConcurrentMessageListenerContainer<?, ?> container(ApplicationContext context, String id) {
        MessageListenerContainer found =
                context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer(id);
        return (ConcurrentMessageListenerContainer<?, ?>) Objects.requireNonNull(found);
    }

    @Test
    void add_an_inbox_to_marked_kafka_listeners_only() {
        runner.withBean(KafkaOrders.class).run(context -> {
            assertThat(container(context, "marked").getContainerProperties().getAdviceChain())
                    .singleElement()
                    .isInstanceOf(KafkaInboxAdvice.class);
            assertThat(container(context, "marked").getCommonErrorHandler()).isNotNull();
            assertThat(container(context, "plain").getContainerProperties().getAdviceChain())
                    .isEmpty();
            assertThat(container(context, "plain").getCommonErrorHandler()).isNull();
        });
    }

    @Test
    void leave_the_factories_of_spring_boot_unchanged_and_injectable_by_type() {
        runner.run(context -> {
            assertThat(context.getBean(SimpleRabbitListenerContainerFactory.class))
                    .isSameAs(context.getBean("rabbitListenerContainerFactory"))
                    .extracting(SimpleRabbitListenerContainerFactory::getAdviceChain)
                    .isNull();
            assertThat(context.getBeanProvider(ConcurrentKafkaListenerContainerFactory.class)
                            .getIfUnique())
                    .isSameAs(context.getBean("kafkaListenerContainerFactory"));
            assertThat(context.getBean(IdempotentListeners.RABBIT, SimpleRabbitListenerContainerFactory.class)
                            .getAdviceChain())
                    .singleElement()
                    .isInstanceOf(RabbitInboxAdvice.class);
        });
    }

    @Test
    void put_the_inbox_around_the_retries_of_spring_amqp() {
        runner.withPropertyValues("spring.rabbitmq.listener.simple.retry.enabled=true")
                .run(context -> assertThat(
                                context.getBean(IdempotentListeners.RABBIT, SimpleRabbitListenerContainerFactory.class)
                                        .getAdviceChain())
                        .hasSize(2)
                        .satisfies(chain -> assertThat(chain[0]).isInstanceOf(RabbitInboxAdvice.class)));
    }

    @ParameterizedTest
    @CsvSource({
        "dev.semel.messaging.kafka, " + IdempotentListeners.KAFKA,
        "org.springframework.kafka, " + IdempotentListeners.KAFKA,
        "dev.semel.messaging.amqp, " + IdempotentListeners.RABBIT,
        "org.springframework.amqp.rabbit, " + IdempotentListeners.RABBIT,
        "dev.semel.messaging.jms, " + IdempotentListeners.JMS,
        "org.springframework.jms, " + IdempotentListeners.JMS,
    })
    void need_their_module_and_the_support_of_spring(String missing, String factory) {
        List<String> others =
                List.of(IdempotentListeners.KAFKA, IdempotentListeners.RABBIT, IdempotentListeners.JMS).stream()
                        .filter(name -> !name.equals(factory))
                        .toList();
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(missing))
                .withUserConfiguration(AllOfThem.class)
                .withPropertyValues(
                        "spring.autoconfigure.exclude=" + Boot.DATA_SOURCE.getName(),
                        "semel.store=memory:",
                        "semel.reconciler.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(factory);
                    others.forEach(name -> assertThat(context).hasBean(name));
                });
    }

    /** An application: its auto-configuration leaves out classes that are missing. */
    @EnableAutoConfiguration
    static class AllOfThem {

        @Bean
        ConnectionFactory connections() {
            return new ActiveMQConnectionFactory("vm://0");
        }
    }

    static class KafkaBatches {

        @KafkaListener(
                topics = "orders",
                groupId = "mailer",
                batch = "true",
                containerFactory = IdempotentListeners.KAFKA)
        void on(List<String> orders) {}
    }

    static class KafkaFutures {

        @KafkaListener(topics = "orders", groupId = "mailer", containerFactory = IdempotentListeners.KAFKA)
        CompletableFuture<Void> on(String order) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class KafkaAutoCommit {

        @KafkaListener(
                topics = "orders",
                groupId = "mailer",
                properties = "enable.auto.commit=true",
                containerFactory = IdempotentListeners.KAFKA)
        void on(String order) {}
    }

    static class KafkaAnnotation {

        @KafkaListener(topics = "orders", groupId = "mailer")
        @IdempotentKafkaListener(group = "mailer")
        void on(ConsumerRecord<String, String> order) {}
    }

    static class KafkaWithoutGroup {

        @KafkaListener(topics = "orders", containerFactory = IdempotentListeners.KAFKA)
        void on(String order) {}
    }

    static class RabbitBatches {

        @RabbitListener(queues = "orders", batch = "true", containerFactory = IdempotentListeners.RABBIT)
        void on(List<Message> orders) {}
    }

    static class RabbitFutures {

        @RabbitListener(queues = "orders", containerFactory = IdempotentListeners.RABBIT)
        CompletableFuture<Void> on(String order) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class RabbitManual {

        @RabbitListener(queues = "orders", ackMode = "MANUAL", containerFactory = IdempotentListeners.RABBIT)
        void on(String order) {}
    }

    private void assertRefused(Class<?> listener, String why, String... properties) {
        runner.withPropertyValues(properties)
                .withBean(listener)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(why));
    }

    @Test
    void refuse_listeners_that_could_not_handle_each_message_once() {
        assertRefused(KafkaBatches.class, "it takes batches");
        assertRefused(KafkaFutures.class, "it returns a future");
        assertRefused(KafkaWithoutGroup.class, "set its groupId");
        assertRefused(KafkaOrders.class, "enable.auto.commit is true", "spring.kafka.consumer.enable-auto-commit=true");
        assertRefused(KafkaAutoCommit.class, "enable.auto.commit is true");
        assertRefused(KafkaAnnotation.class, "set containerFactory = IdempotentListeners.KAFKA");
        assertRefused(RabbitBatches.class, "it takes batches");
        assertRefused(RabbitFutures.class, "it returns a future");
        assertRefused(RabbitManual.class, "its acknowledge mode is MANUAL");
    }

    @Test
    void refuse_nothing_in_an_application_that_does_not_use_them() {
        runner.withPropertyValues(
                        "spring.kafka.consumer.enable-auto-commit=true",
                        "spring.kafka.listener.type=batch",
                        "spring.rabbitmq.listener.simple.acknowledge-mode=manual")
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class JmsOrders {

        @JmsListener(destination = "orders", containerFactory = IdempotentListeners.JMS)
        void on(String order) {}
    }

    @Test
    void make_the_sessions_of_jms_listeners_transacted() {
        runner.withPropertyValues("spring.jms.listener.session.transacted=false")
                .withBean(JmsOrders.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void use_direct_containers_of_rabbitmq_when_the_application_does() {
        runner.withPropertyValues("spring.rabbitmq.listener.type=direct")
                .run(context -> assertThat(context.getBean(IdempotentListeners.RABBIT))
                        .isInstanceOf(DirectRabbitListenerContainerFactory.class));
    }
}
