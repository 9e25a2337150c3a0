/**
 * The reference application: a small payment service that is safe to retry.
 *
 * <p>The properties {@code semel} in {@code application.yaml} are all that it takes to use Semel; the rest is an ordinary
 * Spring MVC application. {@link dev.semel.examples.payments.Demo} starts it together with its simulated provider.
 */
@NullMarked
package dev.semel.examples.payments;

import org.jspecify.annotations.NullMarked;
