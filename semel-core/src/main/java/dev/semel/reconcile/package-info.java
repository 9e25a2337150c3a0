/**
 * Unknown outcomes: records and their audit, verdicts and evidence, and the daemon that asks resolvers until it can settle.
 *
 * <p>Start with {@link dev.semel.reconcile.Reconciler}.
 */
@NullMarked
package dev.semel.reconcile;

import org.jspecify.annotations.NullMarked;
