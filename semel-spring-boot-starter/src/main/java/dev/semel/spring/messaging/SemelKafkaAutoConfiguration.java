package dev.semel.spring.messaging;

import dev.semel.messaging.kafka.KafkaMessageIds;
import dev.semel.messaging.kafka.spring.IdempotentKafkaListeners;
import dev.semel.messaging.kafka.spring.KafkaInboxAdvice;
import dev.semel.messaging.kafka.spring.KafkaInboxErrorHandlers;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/** Idempotent Kafka listeners, with the module semel-kafka and Spring Boot's support of Kafka. */
@AutoConfiguration(after = {SemelInboxAutoConfiguration.class, SemelListenerSettingsAutoConfiguration.class})
@ConditionalOnClass({KafkaInboxAdvice.class, ConcurrentKafkaListenerContainerFactory.class})
@ConditionalOnBean({Inboxes.class, ListenerSettings.Kafka.class})
public final class SemelKafkaAutoConfiguration {

    /** The application's other listeners keep Spring Boot's factory: this one is only found by its name. */
    @Lazy
    @Bean(name = IdempotentListeners.KAFKA, defaultCandidate = false)
    @ConditionalOnMissingBean(name = IdempotentListeners.KAFKA)
    ConcurrentKafkaListenerContainerFactory<Object, Object> idempotentKafkaListenerContainerFactory(
            ListenerSettings.Kafka settings,
            ObjectProvider<ConsumerFactory<Object, Object>> consumerFactories,
            ObjectProvider<KafkaTemplate<?, ?>> templates,
            ObjectProvider<ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>>>
                    customizers,
            ObjectProvider<KafkaMessageIds> ids,
            Inboxes inboxes) {
        ConsumerFactory<Object, Object> consumers =
                consumerFactories.getIfAvailable(() -> new DefaultKafkaConsumerFactory<>(settings.consumer()));
        ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                new ConcurrentKafkaListenerContainerFactory<>();
        settings.applyTo(factory, consumers);
        factory.setCommonErrorHandler(KafkaInboxErrorHandlers.publishing(deadLetters(templates)));
        KafkaListenerInboxes listeners = new KafkaListenerInboxes(
                inboxes,
                ids.getIfUnique(() -> KafkaMessageIds.fromHeader(KafkaMessageIds.DEFAULT_HEADER)),
                consumers.getConfigurationProperties());
        factory.setContainerCustomizer(container -> {
            customizers.ifUnique(customizer -> customizer.configure(container));
            listeners.addTo(container);
        });
        return factory;
    }

    /** In place of the bean that an application defines to use the annotation. */
    @Bean
    @ConditionalOnMissingBean(IdempotentKafkaListeners.class)
    static UnfollowedAnnotationCheck semelUnfollowedAnnotationCheck() {
        return new UnfollowedAnnotationCheck();
    }

    private static KafkaOperations<?, ?> deadLetters(ObjectProvider<KafkaTemplate<?, ?>> templates) {
        KafkaTemplate<?, ?> template = templates.getIfUnique();
        if (template == null) {
            throw new IllegalStateException(
                    "there is no single KafkaTemplate bean that dead letters of idempotent listeners are sent with: mark one"
                            + " as @Primary, or define the bean " + IdempotentListeners.KAFKA);
        }
        return template;
    }
}
