/**
 * The identity of a request: its key and its scope.
 *
 * <p>A {@link dev.semel.http.key.KeyStrategy} finds the key and a {@link dev.semel.http.key.ScopeStrategy} the owner, both
 * in a {@link dev.semel.http.key.KeyInput}. A client's mistake is a result, never an exception.
 */
@NullMarked
package dev.semel.http.key;

import org.jspecify.annotations.NullMarked;
