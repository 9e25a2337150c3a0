/**
 * Semel in a Spring Boot application: one dependency makes every endpoint safe to retry whose clients send a key.
 *
 * <p>Properties begin with {@code semel}; see {@link dev.semel.spring.SemelProperties}. Methods of beans are protected with
 * {@link dev.semel.spring.Idempotent}. Any bean that is defined here can be replaced by one of the application's own.
 */
@NullMarked
package dev.semel.spring;

import org.jspecify.annotations.NullMarked;
