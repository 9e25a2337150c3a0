/**
 * What happened to every key, written down by four parties that do not trust each other, and the checker that compares.
 *
 * <p>Clients write what they asked and were told, the provider what it did, the store what became of each record, and
 * whoever breaks things what was broken when. {@link dev.semel.testkit.history.History} holds the four logs;
 * {@link dev.semel.testkit.history.Checker} decides from them alone.
 */
@NullMarked
package dev.semel.testkit.history;

import org.jspecify.annotations.NullMarked;
