/** The filter for reactive applications: the HTTP protocol of Semel on Spring WebFlux. */
@NullMarked
package dev.semel.http.reactive;

import org.jspecify.annotations.NullMarked;
