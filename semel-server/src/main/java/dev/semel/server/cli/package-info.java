/** The command line: shows, settles and prunes records, and checks a store. */
@NullMarked
package dev.semel.server.cli;

import org.jspecify.annotations.NullMarked;
