/**
 * Semel in Spring Boot Actuator: the endpoint {@code idempotency} and the health of the store.
 */
@NullMarked
package dev.semel.spring.actuate;

import org.jspecify.annotations.NullMarked;
