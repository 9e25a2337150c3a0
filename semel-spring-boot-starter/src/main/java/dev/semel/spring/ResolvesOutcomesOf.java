package dev.semel.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the operations whose unknown outcomes a {@link dev.semel.reconcile.OutcomeResolver} bean resolves, on its class or on
 * its {@code @Bean} method.
 *
 * <pre>{@code
 * @Bean
 * @ResolvesOutcomesOf("create-payment")
 * OutcomeResolver payments(BankClient bank) {
 *     return unknown -> verdictOf(bank.find(unknown.downstreamKey("charge")));
 * }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ResolvesOutcomesOf {

    /** The names of the operations. */
    String[] value();
}
