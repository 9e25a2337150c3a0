package dev.semel.messaging.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageIdentity;
import dev.semel.messaging.kafka.KafkaMessageIds;
import dev.semel.messaging.kafka.KafkaServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.support.Acknowledgment;

@DisplayName("A Spring Kafka listener with an inbox")
@Timeout(300)
class SpringKafkaIT {

    private static final Duration LONG = Duration.ofMinutes(4);

    private AnnotationConfigApplicationContext context;
    private String topic;

    @BeforeEach
    void newTopic() throws Exception {
        topic = KafkaServer.newTopic(1);
        KafkaServer.create(topic + "-dlt", 1);
    }

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
        }
    }

    /** The beans that all listeners share. */
    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    static class Common {

        @Bean
        SemelEngine semel() {
            return SemelEngine.on(new MemoryStore()).build();
        }

        @Bean
        DefaultKafkaConsumerFactory<String, String> consumers() {
            Map<String, Object> properties = new HashMap<>(KafkaServer.consumer("unused"));
            properties.put("auto.offset.reset", "earliest");
            properties.put("enable.auto.commit", false);
            return new DefaultKafkaConsumerFactory<>(properties, new StringDeserializer(), new StringDeserializer());
        }

        @Bean
        KafkaTemplate<String, String> template() {
            return new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(
                    Map.of("bootstrap.servers", KafkaServer.servers()),
                    new StringSerializer(),
                    new StringSerializer()));
        }

        @Bean
        static IdempotentKafkaListeners idempotentKafkaListeners(ObjectProvider<SemelEngine> semel) {
            return new IdempotentKafkaListeners(group -> inbox(semel.getObject(), group));
        }

        static Inbox<ConsumerRecord<?, ?>> inbox(SemelEngine semel, String group) {
            return Inbox.<ConsumerRecord<?, ?>>of(semel, group, KafkaMessageIds.fromHeader("idempotency-key"))
                    .maxAttempts(3)
                    .build();
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory(
                DefaultKafkaConsumerFactory<String, String> consumers, KafkaTemplate<String, String> template) {
            var factory = new ConcurrentKafkaListenerContainerFactory<String, String>();
            factory.setConsumerFactory(consumers);
            factory.setCommonErrorHandler(KafkaInboxErrorHandlers.publishing(template));
            return factory;
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> advised(
                DefaultKafkaConsumerFactory<String, String> consumers,
                KafkaTemplate<String, String> template,
                SemelEngine semel) {
            var factory = kafkaListenerContainerFactory(consumers, template);
            factory.getContainerProperties().setAdviceChain(new KafkaInboxAdvice(inbox(semel, "advised")));
            factory.getContainerProperties().setAckMode(AckMode.MANUAL);
            return factory;
        }
    }

    static class Annotated {

        final List<String> effects = new CopyOnWriteArrayList<>();
        final List<String> failures = new CopyOnWriteArrayList<>();

        @KafkaListener(topics = "${topic}", groupId = "annotated-${topic}")
        @IdempotentKafkaListener(group = "annotated")
        public void on(ConsumerRecord<String, String> message) {
            if (message.value().equals("poison") || message.value().equals("fails once") && failures.isEmpty()) {
                failures.add(message.value());
                throw new IllegalStateException(message.value());
            }
            effects.add(message.value());
        }
    }

    static class PayloadOnly {

        final List<String> effects = new CopyOnWriteArrayList<>();

        @KafkaListener(topics = "${topic}", groupId = "advised-${topic}", containerFactory = "advised")
        void on(String text, Acknowledgment acknowledgment) {
            effects.add(text);
            acknowledgment.acknowledge();
        }
    }

    static class WithoutRecord {

        @KafkaListener(topics = "${topic}")
        @IdempotentKafkaListener(group = "wrong")
        void on(String text) {}
    }

    static class NotOverridable {

        @KafkaListener(topics = "${topic}")
        @IdempotentKafkaListener(group = "wrong")
        final void on(ConsumerRecord<String, String> message) {}
    }

    static class NotDone {

        @KafkaListener(topics = "${topic}")
        @IdempotentKafkaListener(group = "wrong")
        CompletableFuture<String> on(ConsumerRecord<String, String> message) {
            return new CompletableFuture<>();
        }
    }

    private void start(Class<?>... listeners) {
        context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", Map.of("topic", topic)));
        context.register(Common.class);
        for (Class<?> listener : listeners) {
            context.register(listener);
        }
        context.refresh();
    }

    private void awaitCommitted(String group) {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(KafkaServer.lag(group + "-" + topic, topic, 1))
                        .isZero());
    }

    @Test
    void handles_duplicates_once_retries_failures_in_order_and_publishes_poison_as_dead_letter() throws Exception {
        KafkaServer.send(topic, 0, "m1", "first");
        KafkaServer.send(topic, 0, "m2", "fails once");
        KafkaServer.send(topic, 0, "m1", "first");
        KafkaServer.send(topic, 0, "m3", "poison");
        KafkaServer.send(topic, 0, "m4", "last");
        KafkaServer.flush();
        start(Annotated.class);
        awaitCommitted("annotated");
        Annotated listener = context.getBean(Annotated.class);
        assertThat(effectsOf(listener)).containsExactly("first", "fails once", "last");
        assertThat(KafkaServer.read(topic + "-dlt"))
                .extracting(message -> KafkaServer.text(message.value()))
                .containsExactly("poison");
    }

    /** The bean is a proxy, whose own fields are empty. */
    private static List<String> effectsOf(Annotated proxy) {
        return ((Annotated) AopProxyUtils.getSingletonTarget(proxy)).effects;
    }

    @Test
    void acknowledges_a_duplicate_for_a_manually_acknowledging_listener_of_payloads() throws Exception {
        KafkaServer.send(topic, 0, "m1", "first");
        KafkaServer.send(topic, 0, "m1", "first");
        KafkaServer.flush();
        start(PayloadOnly.class);
        awaitCommitted("advised");
        assertThat(context.getBean(PayloadOnly.class).effects).containsExactly("first");
    }

    @Test
    @SuppressWarnings("unchecked")
    void retries_a_message_in_progress_elsewhere_without_limit() throws Exception {
        start();
        SemelEngine semel = context.getBean(SemelEngine.class);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        Thread elsewhere = new Thread(() -> Inbox.of(
                        semel, "batches", (String id) -> MessageIdentity.withId(id, KafkaServer.bytes("first")))
                .build()
                .handle("m1", (id, attempt) -> {
                    begun.countDown();
                    finish.await();
                }));
        elsewhere.start();
        begun.await();
        KafkaServer.send(topic, 0, "m1", "first");
        KafkaServer.send(topic, 0, "m2", "second");
        KafkaServer.send(topic, 0, "m3", "third");
        KafkaServer.flush();
        List<String> effects = new CopyOnWriteArrayList<>();
        CountDownLatch refused = new CountDownLatch(4);
        ContainerProperties properties = new ContainerProperties(topic);
        properties.setGroupId("batches-" + topic);
        properties.setMessageListener(
                new KafkaInboxBatchListener<String, String>(Common.inbox(semel, "batches"), (message, attempt) -> {
                    if (message.value().equals("second") && effects.isEmpty()) {
                        effects.add("failed");
                        throw new IllegalStateException("once");
                    }
                    effects.add(message.value());
                }));
        var container =
                new KafkaMessageListenerContainer<>(context.getBean(DefaultKafkaConsumerFactory.class), properties);
        var handler = KafkaInboxErrorHandlers.publishing(context.getBean(KafkaTemplate.class));
        handler.setRetryListeners((message, failure, tries) -> refused.countDown());
        container.setCommonErrorHandler(handler);
        container.start();
        try {
            refused.await();
            assertThat(effects).isEmpty();
            finish.countDown();
            awaitCommitted("batches");
            assertThat(effects).containsExactly("failed", "second", "third");
            assertThat(KafkaServer.read(topic + "-dlt")).isEmpty();
        } finally {
            container.stop();
        }
    }

    @Test
    void refuses_to_start_with_a_method_without_a_consumer_record() {
        assertThatThrownBy(() -> start(WithoutRecord.class)).rootCause().hasMessageContaining("ConsumerRecord");
    }

    @Test
    void refuses_to_start_with_a_method_that_cannot_be_proxied_or_returns_a_future() {
        assertThatThrownBy(() -> start(NotOverridable.class)).rootCause().hasMessageContaining("final");
        assertThatThrownBy(() -> start(NotDone.class)).rootCause().hasMessageContaining("returns a future");
    }
}
