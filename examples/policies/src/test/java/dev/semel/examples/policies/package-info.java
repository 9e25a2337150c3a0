/** Tests that do what the documentation says. */
@NullMarked
package dev.semel.examples.policies;

import org.jspecify.annotations.NullMarked;
