package dev.semel.examples.payments;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;

/** Marks beans that exist only when records are kept in a database, and not in memory or in Redis alone. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnExpression("!environment.getProperty('semel.store', '').matches('(memory|redis).*')")
public @interface OnDatabase {}
