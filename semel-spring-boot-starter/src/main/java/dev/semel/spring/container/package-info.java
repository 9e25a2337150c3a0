/** Errors that a servlet container answers itself, before any filter. */
@NullMarked
package dev.semel.spring.container;

import org.jspecify.annotations.NullMarked;
