/** Tests of the checker. */
@NullMarked
package dev.semel.server.check;

import org.jspecify.annotations.NullMarked;
