/** Tests on a real server. */
@NullMarked
package dev.semel.micronaut;

import org.jspecify.annotations.NullMarked;
