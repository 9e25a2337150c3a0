package dev.semel.spring.openapi;

import dev.semel.spring.RouteTable;
import dev.semel.spring.SemelProperties;
import dev.semel.spring.SemelServletAutoConfiguration;
import io.swagger.v3.oas.models.OpenAPI;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Keys in the OpenAPI description, in a servlet application that springdoc describes. */
@AutoConfiguration(after = SemelServletAutoConfiguration.class)
@ConditionalOnClass({GlobalOpenApiCustomizer.class, OpenAPI.class})
@ConditionalOnBean(RouteTable.class)
public final class SemelOpenApiAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    IdempotencyCustomizer semelOpenApiCustomizer(RouteTable routes, SemelProperties properties) {
        return new IdempotencyCustomizer(routes.build(), properties.http());
    }
}
