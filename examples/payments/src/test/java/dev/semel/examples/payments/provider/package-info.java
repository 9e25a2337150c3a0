/** Tests of the simulated provider. */
@NullMarked
package dev.semel.examples.payments.provider;

import org.jspecify.annotations.NullMarked;
