/** A reference server that tests whether a client in any language retries safely. */
@NullMarked
package dev.semel.server.conformance;

import org.jspecify.annotations.NullMarked;
