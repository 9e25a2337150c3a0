/**
 * Keys and scopes: where the identity of a request or message comes from.
 *
 * <p>A {@link dev.semel.http.key.KeyStrategy} finds the key and a {@link dev.semel.http.key.ScopeStrategy} finds whom it belongs
 * to, both in a {@link dev.semel.http.key.KeyInput}, which HTTP requests and messages alike can be seen as. What a client got
 * wrong is an answer, never an exception.
 */
@NullMarked
package dev.semel.key;

import org.jspecify.annotations.NullMarked;
