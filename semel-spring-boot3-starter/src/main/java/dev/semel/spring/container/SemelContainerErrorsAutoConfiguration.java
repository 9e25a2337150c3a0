package dev.semel.spring.container;

import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.embedded.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * Makes Tomcat and Jetty answer errors before any filter with problems, unless the application has its own error handling, or
 * {@code semel.http.container-errors} is false.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(
        name = {"semel.enabled", "semel.http.container-errors"},
        matchIfMissing = true)
public final class SemelContainerErrorsAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Tomcat.class, ConfigurableTomcatWebServerFactory.class})
    static class OnTomcat {

        /** After the customizers of Spring Boot and of the application. */
        @Bean
        @Order
        WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> semelTomcatErrors() {
            return factory -> factory.addContextCustomizers(TomcatProblems::addTo);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Server.class, ConfigurableJettyWebServerFactory.class})
    static class OnJetty {

        @Bean
        @Order
        WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> semelJettyErrors() {
            return factory -> factory.addServerCustomizers(JettyProblems::addTo);
        }
    }
}
