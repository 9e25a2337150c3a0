package dev.semel.spring.console;

import dev.semel.Operation;
import dev.semel.admin.AdminApi;
import dev.semel.admin.Catalog;
import dev.semel.admin.LiveFigures;
import dev.semel.admin.MisuseLog;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.access.Authenticator;
import dev.semel.engine.SemelEngine;
import dev.semel.spring.RouteTable;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelProperties;
import dev.semel.spring.SemelServletAutoConfiguration;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/** The console of a servlet application, where {@code semel.console.enabled} is true and {@code semel.enabled} is not false. */
@AutoConfiguration(after = {SemelAutoConfiguration.class, SemelServletAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty("semel.console.enabled")
@ConditionalOnBean({SemelEngine.class, SemelProperties.class})
public final class SemelConsoleAutoConfiguration {

    private static final String AUTHENTICATION = "org.springframework.security.core.Authentication";

    @Bean
    LiveFigures semelLiveFigures() {
        return new LiveFigures(AdminTime.system());
    }

    @Bean
    MisuseLog semelMisuseLog() {
        return new MisuseLog(AdminTime.system());
    }

    @Bean
    @ConditionalOnMissingBean
    ConsoleCallers semelConsoleCallers(SemelProperties properties) {
        boolean security = ClassUtils.isPresent(AUTHENTICATION, getClass().getClassLoader());
        return new AuthorityCallers(
                properties.console(), security ? new SecurityAuthorities() : (principal, authority) -> false);
    }

    @Bean
    ServletRegistrationBean<ConsoleServlet> semelConsole(
            SemelEngine semel,
            SemelProperties properties,
            ConsoleCallers callers,
            LiveFigures live,
            MisuseLog misuse,
            ObjectProvider<RouteTable> routes) {
        AdminApi api = AdminApi.on(semel, Authenticator.application())
                .writes(properties.console().write())
                .approvals(properties.console().approvals())
                .live(live, misuse)
                .catalog(catalog(routes))
                .build();
        ServletRegistrationBean<ConsoleServlet> registration = new ServletRegistrationBean<>(
                new ConsoleServlet(api, callers), ConsoleServlet.MOUNT, ConsoleServlet.MOUNT + "/*");
        registration.setName("semelConsole");
        registration.setAsyncSupported(true);
        return registration;
    }

    private static Catalog catalog(ObjectProvider<RouteTable> routes) {
        return new Catalog() {
            @Override
            public List<Operation> operations() {
                return all().stream()
                        .flatMap(route -> route.policy() == null
                                ? Stream.<Operation>empty()
                                : Stream.of(route.policy().operation()))
                        .distinct()
                        .toList();
            }

            @Override
            public List<Route> routes() {
                return all();
            }

            private List<Route> all() {
                RouteTable known = routes.getIfAvailable();
                return known == null
                        ? List.of()
                        : known.routes().stream()
                                .map(route -> new Route(
                                        route.pattern().methods() + " "
                                                + route.pattern().path(),
                                        route.policy()))
                                .toList();
            }
        };
    }
}
