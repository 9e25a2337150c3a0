/**
 * What Spring Boot Actuator shows of Semel and lets people do: the endpoint {@code idempotency} and the health of the store.
 */
@NullMarked
package dev.semel.spring.actuate;

import org.jspecify.annotations.NullMarked;
