/**
 * The state machine among workers, reconcilers, crashes and pauses, explored exhaustively.
 *
 * <p>What is modelled and what is assumed is in {@code docs/evidence/model.md}.
 */
@NullMarked
package dev.semel.model;

import org.jspecify.annotations.NullMarked;
