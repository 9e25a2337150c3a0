/** An HTTP client that sends the same key with every retry of an intent, and reports unknown outcomes. */
@NullMarked
package dev.semel.client;

import org.jspecify.annotations.NullMarked;
