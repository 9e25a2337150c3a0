/**
 * The history of every key in four independent logs, and the checker that compares them.
 *
 * <p>Clients log their requests and answers, the provider its charges, the store the changes of each record, and the
 * conductor its faults. {@link dev.semel.torture.history.History} holds the four logs;
 * {@link dev.semel.torture.history.Checker} decides from them alone.
 */
@NullMarked
package dev.semel.torture.history;

import org.jspecify.annotations.NullMarked;
