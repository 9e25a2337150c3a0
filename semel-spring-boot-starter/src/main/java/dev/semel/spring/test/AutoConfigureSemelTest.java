package dev.semel.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Adds Semel to a test of a part of an application, such as a {@code @WebMvcTest} of one controller: its filter, its
 * {@code @Idempotent} methods, and a store in memory. The properties of the application apply, except for the store.
 *
 * <p>A {@code @SpringBootTest} has Semel already, and needs only the property {@code semel.store=memory:}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@TestPropertySource(
        properties = {"semel.store=memory:", "semel.reconciler.enabled=false", "semel.pruning.enabled=false"})
public @interface AutoConfigureSemelTest {}
