/** The console in a servlet application. */
@NullMarked
package dev.semel.spring.console;

import org.jspecify.annotations.NullMarked;
