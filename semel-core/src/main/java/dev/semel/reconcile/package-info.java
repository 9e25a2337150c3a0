/**
 * Finding out what became of unknown outcomes: a daemon that asks until somebody knows.
 *
 * <p>Start with {@link dev.semel.reconcile.Reconciler}.
 */
@NullMarked
package dev.semel.reconcile;

import org.jspecify.annotations.NullMarked;
