/** The console in an application, servlet or reactive. */
@NullMarked
package dev.semel.spring.console;

import org.jspecify.annotations.NullMarked;
