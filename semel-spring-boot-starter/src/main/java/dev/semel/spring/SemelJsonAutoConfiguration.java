package dev.semel.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Import;

/**
 * The Jackson of {@link Idempotent} methods: the one that the application has a mapper of, otherwise the one on its class path,
 * and 3 before 2.
 */
@AutoConfiguration(
        after = SemelAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration",
            // Of Spring Boot 3.
            "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
        })
@ConditionalOnBean(Operations.class)
@Import({
    JacksonChoices.Mapper3.class,
    JacksonChoices.Mapper2.class,
    JacksonChoices.Library3.class,
    JacksonChoices.Library2.class
})
public final class SemelJsonAutoConfiguration {}
