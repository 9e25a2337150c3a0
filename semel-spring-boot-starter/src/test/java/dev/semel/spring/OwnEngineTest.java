package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.http.servlet.SemelFilter;
import dev.semel.memory.MemoryStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@DisplayName("An application with an engine and a filter of its own")
class OwnEngineTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SemelAutoConfiguration.class,
                    SemelJsonAutoConfiguration.class,
                    SemelMethodAutoConfiguration.class,
                    SemelServletAutoConfiguration.class,
                    SemelObservabilityAutoConfiguration.class))
            .withBean(SimpleMeterRegistry.class)
            // No store can be opened here: a directory cannot be created in a file.
            .withPropertyValues("semel.store=sqlite:pom.xml/records.db");

    @Configuration(proxyBeanMethods = false)
    static class Engine {

        @Bean
        SemelEngine engine() {
            return SemelEngine.on(new MemoryStore()).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Filter {

        @Bean
        FilterRegistrationBean<SemelFilter> ownFilter(SemelEngine semel) {
            Routes routes = Routes.builder()
                    .protect("*", "*", RoutePolicy.of(Operation.named("all")).build())
                    .build();
            return new FilterRegistrationBean<>(new SemelFilter(
                    Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build()));
        }
    }

    @Test
    void has_no_store_opened_for_it() {
        runner.withUserConfiguration(Engine.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(Store.class)
                        .doesNotHaveBean(ReconcilerDaemon.class)
                        .hasSingleBean(FilterRegistrationBean.class));
    }

    @Test
    void has_no_second_filter_before_its_own() {
        runner.withUserConfiguration(Engine.class, Filter.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(FilterRegistrationBean.class);
            assertThat(context.getBean(FilterRegistrationBean.class).getFilter())
                    .isInstanceOf(SemelFilter.class);
        });
    }

    @Test
    void has_nothing_of_the_starter_beside_it_when_that_is_switched_off() {
        runner.withUserConfiguration(Engine.class)
                .withPropertyValues("semel.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(Operations.class)
                        .doesNotHaveBean(FilterRegistrationBean.class));
    }
}
