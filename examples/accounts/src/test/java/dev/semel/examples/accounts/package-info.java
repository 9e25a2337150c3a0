/** Repeats commands, at once, with other content, after kills and after pruning. */
@NullMarked
package dev.semel.examples.accounts;

import org.jspecify.annotations.NullMarked;
