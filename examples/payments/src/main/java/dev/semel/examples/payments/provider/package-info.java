/**
 * A simulated payment provider: a small program of its own, with a ledger that survives crashes and methods of payment
 * that misbehave on request. It knows nothing of Semel, and its ledger is the independent witness of every charge.
 */
@NullMarked
package dev.semel.examples.payments.provider;

import org.jspecify.annotations.NullMarked;
