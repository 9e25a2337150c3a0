package dev.semel.spring;

import java.util.List;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.jetty.autoconfigure.reactive.JettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;

/** What tests name of Spring Boot 4, and other versions have in other packages. */
public final class Boot {

    public static final Class<?> DATA_SOURCE = DataSourceAutoConfiguration.class;
    public static final Class<?> DATA_SOURCE_TRANSACTIONS = DataSourceTransactionManagerAutoConfiguration.class;
    public static final Class<?> TRANSACTIONS = TransactionAutoConfiguration.class;
    public static final Class<?> DISPATCHER_SERVLET = DispatcherServletAutoConfiguration.class;
    public static final Class<?> WEB_MVC = WebMvcAutoConfiguration.class;
    public static final Class<?> KAFKA = KafkaAutoConfiguration.class;
    public static final Class<?> RABBIT = RabbitAutoConfiguration.class;
    public static final Class<?> JMS = JmsAutoConfiguration.class;

    public static final List<Class<?>> SERVLET_SECURITY = List.of(
            SecurityAutoConfiguration.class,
            UserDetailsServiceAutoConfiguration.class,
            SecurityFilterAutoConfiguration.class,
            ServletWebSecurityAutoConfiguration.class,
            ManagementWebSecurityAutoConfiguration.class);
    public static final List<Class<?>> REACTIVE_SECURITY = List.of(
            SecurityAutoConfiguration.class,
            ReactiveUserDetailsServiceAutoConfiguration.class,
            ReactiveWebSecurityAutoConfiguration.class,
            ReactiveManagementWebSecurityAutoConfiguration.class);

    /** The package of health indicators. */
    public static final String HEALTH = "org.springframework.boot.health.contributor";

    /**
     * How a server is chosen where several are on the class path.
     *
     * @param excluded from auto-configuration
     * @param added to the application
     */
    public record Container(List<Class<?>> excluded, List<Class<?>> added) {}

    public static final Container TOMCAT =
            new Container(List.of(JettyServletWebServerAutoConfiguration.class), List.of());
    public static final Container JETTY =
            new Container(List.of(TomcatServletWebServerAutoConfiguration.class), List.of());
    public static final Container NETTY = new Container(
            List.of(JettyReactiveWebServerAutoConfiguration.class, TomcatReactiveWebServerAutoConfiguration.class),
            List.of());

    private Boot() {}

    public static WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> tomcat(Consumer<Context> change) {
        return factory -> factory.addContextCustomizers(change::accept);
    }

    public static WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> jetty(Consumer<Server> change) {
        return factory -> factory.addServerCustomizers(change::accept);
    }
}
