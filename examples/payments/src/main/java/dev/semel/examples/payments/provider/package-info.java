/**
 * A simulated payment provider: a small program with a ledger that survives crashes, and with methods of payment that
 * misbehave on request. It does not use Semel, so its ledger is an independent record of every charge.
 */
@NullMarked
package dev.semel.examples.payments.provider;

import org.jspecify.annotations.NullMarked;
