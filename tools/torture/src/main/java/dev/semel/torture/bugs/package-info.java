/** Mistakes in the protocol, planted on purpose, each of which the checker must find. */
@NullMarked
package dev.semel.torture.bugs;

import org.jspecify.annotations.NullMarked;
