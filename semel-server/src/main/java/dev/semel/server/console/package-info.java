/** The admin API and the console on Vert.x. */
@NullMarked
package dev.semel.server.console;

import org.jspecify.annotations.NullMarked;
