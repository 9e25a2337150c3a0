package dev.semel.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of which operations a {@link dev.semel.reconcile.OutcomeResolver} bean finds out the unknown outcomes, on its class
 * or on the method that makes it.
 *
 * <pre>{@code
 * @Bean
 * @ResolvesOutcomesOf("create-payment")
 * OutcomeResolver payments(BankClient bank) {
 *     return unknown -> bank.find(unknown.downstreamKey("charge"));
 * }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ResolvesOutcomesOf {

    /** The names of the operations; mostly it is one. */
    String[] value();
}
