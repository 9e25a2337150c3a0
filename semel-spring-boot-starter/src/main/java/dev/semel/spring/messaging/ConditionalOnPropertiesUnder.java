package dev.semel.spring.messaging;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** Applies a configuration only when the application sets a property under the prefix. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnPropertiesUnder.class)
@interface ConditionalOnPropertiesUnder {

    /** Such as {@code semel.webhooks}. */
    String value();
}
