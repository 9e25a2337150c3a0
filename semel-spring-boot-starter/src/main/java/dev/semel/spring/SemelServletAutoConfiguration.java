package dev.semel.spring;

import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.TransactionRunner;
import dev.semel.http.servlet.SemelFilter;
import jakarta.servlet.DispatcherType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.authorization.method.AuthorizationAdvisor;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The filter and the routes of a servlet application. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnBean({SemelEngine.class, Operations.class})
@Import(GateConfiguration.class)
public final class SemelServletAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RouteTable semelRoutes(
            SemelProperties properties,
            Operations operations,
            ObjectProvider<TransactionRunner> transactions,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ListableBeanFactory beans,
            @Value("${spring.mvc.servlet.path:/}") String servletPath) {
        RouteTable table = new RouteTable(properties, operations, () -> required(transactions), new NamedParts(beans));
        String prefix = prefix(servletPath);
        mappings.orderedStream()
                .forEach(mapping -> mapping.getHandlerMethods()
                        .forEach((info, handler) -> IdempotentControllers.addTo(
                                table, handler, info.getMethodsCondition().getMethods(), paths(info, prefix))));
        // Webhooks carry an id of their own, and their signature covers the body as it was sent.
        properties.webhooks().forEach((sender, webhook) -> {
            if (webhook.hasPlainPath()) {
                table.leaveUnprotected(
                        "semel.webhooks." + sender + ".path", new RequestPattern("POST", prefix + webhook.path()));
            }
        });
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
                ListableBeanFactory beans,
                RouteTable routes,
                ObjectProvider<RequestMappingHandlerMapping> mappings,
                ObjectProvider<RequestMappingHandlerAdapter> adapters,
                @Value("${spring.mvc.servlet.path:/}") String servletPath) {
            return () -> {
                MethodRights rights = MethodRights.in(beans);
                return rights.isEmpty()
                        ? Optional.empty()
                        : adapters.orderedStream()
                                .findFirst()
                                .flatMap(adapter -> controllers(rights, routes, mappings, adapter, prefix(servletPath))
                                        .check());
            };
        }

        private static ServletControllerRights controllers(
                MethodRights rights,
                RouteTable routes,
                ObjectProvider<RequestMappingHandlerMapping> mappings,
                RequestMappingHandlerAdapter adapter,
                String prefix) {
            OperationHandlers handlers = new OperationHandlers(routes.build());
            List<RequestMappingHandlerMapping> all = mappings.orderedStream().toList();
            all.forEach(mapping -> mapping.getHandlerMethods()
                    .forEach((info, handler) ->
                            handlers.add(handler, info.getMethodsCondition().getMethods(), paths(info, prefix))));
            return new ServletControllerRights(rights, handlers, all, adapter);
        }
    }

    /** Patterns of routes include the path of the dispatcher servlet, mappings do not. */
    private static String prefix(String servletPath) {
        return servletPath.endsWith("/") ? servletPath.substring(0, servletPath.length() - 1) : servletPath;
    }

    private static Set<String> paths(RequestMappingInfo info, String prefix) {
        return info.getPatternValues().stream().map(path -> prefix + path).collect(Collectors.toSet());
    }

    private static TransactionRunner required(ObjectProvider<TransactionRunner> transactions) {
        TransactionRunner runner = transactions.getIfUnique();
        if (runner == null) {
            throw new IllegalArgumentException(
                    "There is no transaction manager for the DataSource of the records:"
                            + " add spring-boot-starter-jdbc, set semel.store to jdbc, or define a bean of type TransactionRunner.");
        }
        return runner;
    }

    @Bean
    WebMvcConfigurer semelArguments() {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new AttemptArgument());
            }
        };
    }

    @Bean
    RoutingFailures semelRoutingFailures() {
        return new RoutingFailures();
    }

    /** The filter, unless the application defines one. */
    @Bean
    @ConditionalOnMissingBean(value = SemelFilter.class, parameterizedContainer = FilterRegistrationBean.class)
    FilterRegistrationBean<LateFilter> semelFilter(
            ObjectProvider<Gate> gate,
            SemelProperties properties,
            ListableBeanFactory beans,
            @Value("${spring.security.filter.order:" + FilterOrder.OF_SECURITY + "}") int securityOrder) {
        FilterRegistrationBean<LateFilter> registration =
                new FilterRegistrationBean<>(new LateFilter(() -> new SemelFilter(gate.getObject())));
        registration.setName("semelFilter");
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        registration.setOrder(FilterOrder.after(securityOrder, properties, beans));
        return registration;
    }
}
