/** Payments on Quarkus; the same sources run on Quarkus REST and on RESTEasy classic. */
@NullMarked
package dev.semel.examples.quarkus;

import org.jspecify.annotations.NullMarked;
