/** Settling unknown outcomes, by services and by people. */
@NullMarked
package dev.semel.admin.settle;

import org.jspecify.annotations.NullMarked;
