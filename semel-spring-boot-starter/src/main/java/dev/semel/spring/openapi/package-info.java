/** What OpenAPI descriptions say of keys and of the answers that come of them. */
@NullMarked
package dev.semel.spring.openapi;

import org.jspecify.annotations.NullMarked;
