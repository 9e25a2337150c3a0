/** The filter for reactive applications: the HTTP protocol of Semel on Spring WebFlux. */
@NullMarked
package dev.semel.spring.reactive;

import org.jspecify.annotations.NullMarked;
