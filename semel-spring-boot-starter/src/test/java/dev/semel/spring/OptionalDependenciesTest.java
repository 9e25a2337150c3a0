package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.SemelEngine;
import dev.semel.spring.actuate.SemelActuatorAutoConfiguration;
import dev.semel.spring.actuate.SemelHealthAutoConfiguration;
import dev.semel.spring.openapi.SemelOpenApiAutoConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

@DisplayName("An application")
class OptionalDependenciesTest {

    private final WebApplicationContextRunner contexts = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    Boot.DISPATCHER_SERVLET,
                    Boot.WEB_MVC,
                    SemelNearCacheAutoConfiguration.class,
                    SemelAutoConfiguration.class,
                    SemelServletAutoConfiguration.class,
                    SemelActuatorAutoConfiguration.class,
                    SemelHealthAutoConfiguration.class,
                    SemelOpenApiAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:", "management.endpoints.web.exposure.include=*");

    @Test
    void without_actuator_health_springdoc_and_the_cache_has_nothing_that_needs_them() {
        contexts.withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate.endpoint",
                        Boot.HEALTH,
                        "org.springdoc",
                        "io.swagger",
                        "dev.semel.cache"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(SemelEngine.class)
                        .hasSingleBean(RouteTable.class)
                        .doesNotHaveBean("semelIdempotencyEndpoint")
                        .doesNotHaveBean("semelHealthIndicator")
                        .doesNotHaveBean("semelOpenApiCustomizer"));
    }

    @Test
    void with_them_has_all_beans() {
        contexts.run(context -> assertThat(context)
                .hasNotFailed()
                .hasBean("semelIdempotencyEndpoint")
                .hasBean("semelHealthIndicator")
                .hasBean("semelOpenApiCustomizer"));
    }

    @Test
    void without_a_database_and_a_driver_for_a_file_is_told_what_to_choose() {
        contexts.withClassLoader(new FilteredClassLoader("org.sqlite"))
                .withPropertyValues("semel.store=auto")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(StoreChoiceException.class)
                        .rootCause()
                        .hasMessageStartingWith("there is no place for records"));
    }

    @Test
    void with_semel_disabled_has_no_beans_of_it() {
        contexts.withPropertyValues("semel.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(SemelEngine.class)
                        .doesNotHaveBean("semelIdempotencyEndpoint")
                        .doesNotHaveBean("semelHealthIndicator")
                        .doesNotHaveBean("semelOpenApiCustomizer"));
    }
}
