/** Tests of the application as it was built. */
@NullMarked
package dev.semel.examples.quarkus;

import org.jspecify.annotations.NullMarked;
