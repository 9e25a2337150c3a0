/** The engine. Nothing here is API. */
@NullMarked
package dev.semel.internal;

import org.jspecify.annotations.NullMarked;
