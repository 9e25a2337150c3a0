/** Keys and the protocol's own answers in OpenAPI descriptions. */
@NullMarked
package dev.semel.spring.openapi;

import org.jspecify.annotations.NullMarked;
