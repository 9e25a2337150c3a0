/** The filter for Micronaut's HTTP server. */
@NullMarked
package dev.semel.micronaut;

import org.jspecify.annotations.NullMarked;
