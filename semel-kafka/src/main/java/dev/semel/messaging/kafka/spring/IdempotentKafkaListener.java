package dev.semel.messaging.kafka.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method with {@code @KafkaListener} handle each record once. The method needs a parameter of type
 * {@code ConsumerRecord}, the application a bean of type {@link IdempotentKafkaListeners}, and the container an error handler of
 * {@link KafkaInboxErrorHandlers}. A record is handled when the method returns, so a method that returns a future is refused.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface IdempotentKafkaListener {

    /** The group within which each message is handled once; usually the consumer group's name. */
    String group();
}
