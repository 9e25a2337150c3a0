package dev.semel.spring;

import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.TransactionRunner;
import dev.semel.http.reactive.ReactiveAttemptArgument;
import dev.semel.http.reactive.ReactiveRoutingFailures;
import dev.semel.http.reactive.SemelWebFilter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.security.authorization.method.AuthorizationAdvisor;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.WebFilter;
import org.springframework.web.util.pattern.PathPattern;

/** The filter and the routes of a reactive application. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass({WebFilter.class, DispatcherHandler.class})
@ConditionalOnBean({SemelEngine.class, Operations.class})
@Import(GateConfiguration.class)
public final class SemelReactiveAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RouteTable semelRoutes(
            SemelProperties properties,
            Operations operations,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ListableBeanFactory beans) {
        Supplier<TransactionRunner> none = () -> {
            throw new IllegalArgumentException(
                    "A reactive application cannot keep a handler's transaction on one thread"
                            + " and connection: leave the property out, or use a servlet application.");
        };
        RouteTable table = new RouteTable(properties, operations, none, new NamedParts(beans));
        mappings.orderedStream()
                .forEach(mapping -> mapping.getHandlerMethods()
                        .forEach((info, handler) -> IdempotentControllers.addTo(
                                table, handler, info.getMethodsCondition().getMethods(), paths(info))));
        if (properties.console().enabled()) {
            // Its calls carry no key: each names the fence that it saw.
            table.leaveUnprotected("semel.console.enabled", new RequestPattern("POST", "/semel/api/**"));
        }
        return table;
    }

    /** Where Spring Security authorizes controller methods, it does so before a replay, too. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(AuthorizationAdvisor.class)
    static class WithMethodSecurity {

        @Bean
        ControllerRights semelControllerRights(
                ConfigurableListableBeanFactory beans,
                RouteTable routes,
                ObjectProvider<RequestMappingHandlerMapping> mappings,
                ObjectProvider<RequestMappingHandlerAdapter> adapters) {
            return () -> {
                MethodRights rights = MethodRights.in(beans);
                return rights.isEmpty()
                        ? Optional.empty()
                        : adapters.orderedStream()
                                .findFirst()
                                .flatMap(adapter -> controllers(rights, routes, mappings, adapter, beans)
                                        .check());
            };
        }

        private static ReactiveControllerRights controllers(
                MethodRights rights,
                RouteTable routes,
                ObjectProvider<RequestMappingHandlerMapping> mappings,
                RequestMappingHandlerAdapter adapter,
                ConfigurableListableBeanFactory beans) {
            OperationHandlers handlers = new OperationHandlers(routes.build());
            List<RequestMappingHandlerMapping> all = mappings.orderedStream().toList();
            all.forEach(mapping -> mapping.getHandlerMethods()
                    .forEach((info, handler) ->
                            handlers.add(handler, info.getMethodsCondition().getMethods(), paths(info))));
            return new ReactiveControllerRights(rights, handlers, all, adapter, beans);
        }
    }

    private static Set<String> paths(RequestMappingInfo info) {
        return info.getPatternsCondition().getPatterns().stream()
                .map(PathPattern::getPatternString)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Bean
    WebFluxConfigurer semelArguments() {
        return new WebFluxConfigurer() {
            @Override
            public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
                configurer.addCustomResolver(new ReactiveAttemptArgument());
            }
        };
    }

    @Bean
    ReactiveRoutingFailures semelRoutingFailures() {
        return new ReactiveRoutingFailures();
    }

    @Bean
    @ConditionalOnMissingBean
    SemelWebFilter semelWebFilter(
            Gate gate, ServerCodecConfigurer codecs, SemelProperties properties, ListableBeanFactory beans) {
        return new SemelWebFilter(gate, codecs, FilterOrder.after(FilterOrder.OF_SECURITY, properties, beans));
    }
}
