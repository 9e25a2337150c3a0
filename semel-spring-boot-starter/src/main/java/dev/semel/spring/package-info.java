/**
 * Semel in a Spring Boot application: one dependency, and every endpoint that is sent a key is safe to retry.
 *
 * <p>Properties begin with {@code semel}; see {@link dev.semel.spring.SemelProperties}. Methods of beans are protected with
 * {@link dev.semel.spring.Idempotent}. Any bean that is defined here can be replaced by one of the application's own.
 */
@NullMarked
package dev.semel.spring;

import org.jspecify.annotations.NullMarked;
