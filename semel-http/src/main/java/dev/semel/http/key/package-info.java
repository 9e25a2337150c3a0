/**
 * Keys and scopes of requests: where the identity of a request comes from.
 *
 * <p>A {@link dev.semel.http.key.KeyStrategy} finds the key and a {@link dev.semel.http.key.ScopeStrategy} finds the owner, both
 * in a {@link dev.semel.http.key.KeyInput}. What a client got wrong is an answer, never an exception.
 */
@NullMarked
package dev.semel.http.key;

import org.jspecify.annotations.NullMarked;
