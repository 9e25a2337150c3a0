/** An HTTP client that keeps the key of an intent across every retry, and says so when it does not know the outcome. */
@NullMarked
package dev.semel.client;

import org.jspecify.annotations.NullMarked;
