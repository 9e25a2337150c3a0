/** Servers with one known defect each, and correct ones. */
@NullMarked
package dev.semel.server.check.zoo;

import org.jspecify.annotations.NullMarked;
