package dev.semel.spring.console;

import dev.semel.admin.AdminApi;
import dev.semel.engine.SemelEngine;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelProperties;
import dev.semel.spring.SemelServletAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The console of a servlet application, where {@code semel.console.enabled} is true and {@code semel.enabled} is not false. */
@AutoConfiguration(after = {SemelAutoConfiguration.class, SemelServletAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty("semel.console.enabled")
@ConditionalOnBean({SemelEngine.class, SemelProperties.class})
@Import(ConsoleConfiguration.class)
public final class SemelConsoleAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ConsoleCallers semelConsoleCallers(SemelProperties properties) {
        return new AuthorityCallers(properties.console(), ConsoleConfiguration.authorities());
    }

    @Bean
    ServletRegistrationBean<ConsoleServlet> semelConsole(AdminApi api, ConsoleCallers callers) {
        ServletRegistrationBean<ConsoleServlet> registration = new ServletRegistrationBean<>(
                new ConsoleServlet(api, callers), ConsoleServlet.MOUNT, ConsoleServlet.MOUNT + "/*");
        registration.setName("semelConsole");
        registration.setAsyncSupported(true);
        return registration;
    }
}
