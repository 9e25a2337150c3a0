package dev.semel.messaging.kafka.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method with {@code @KafkaListener} handle each record once. It needs a parameter of type {@code ConsumerRecord}, a
 * bean of type {@link IdempotentListeners}, and an error handler of {@link InboxErrorHandlers}. A record counts as handled
 * when the method has returned: one that returns a future is refused.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface IdempotentListener {

    /** Within which each message is handled once; usually the consumer group's name. */
    String group();
}
