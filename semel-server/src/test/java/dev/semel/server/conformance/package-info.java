/** Tests of the reference server for clients: with clients that conform, and with clients that have a flaw each. */
@NullMarked
package dev.semel.server.conformance;

import org.jspecify.annotations.NullMarked;
