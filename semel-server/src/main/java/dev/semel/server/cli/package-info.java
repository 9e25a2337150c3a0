/** The command line: operates the records of a store. */
@NullMarked
package dev.semel.server.cli;

import org.jspecify.annotations.NullMarked;
