/** Repeats messages, loses answers, and kills the receiver. */
@NullMarked
package dev.semel.examples.federation;

import org.jspecify.annotations.NullMarked;
