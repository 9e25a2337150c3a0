/** Two banks, each a process of its own: one asks the other to credit an account, over HTTP and in JSON. */
@NullMarked
package dev.semel.examples.federation;

import org.jspecify.annotations.NullMarked;
