package dev.semel.spring;

import java.util.List;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.actuate.autoconfigure.security.reactive.ReactiveManagementWebSecurityAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.amqp.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.autoconfigure.jms.JmsAutoConfiguration;
import org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.web.embedded.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/** What tests name of Spring Boot 3, and other versions have in other packages. */
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
            ManagementWebSecurityAutoConfiguration.class);
    public static final List<Class<?>> REACTIVE_SECURITY = List.of(
            ReactiveSecurityAutoConfiguration.class,
            ReactiveUserDetailsServiceAutoConfiguration.class,
            ReactiveManagementWebSecurityAutoConfiguration.class);

    /** The package of health indicators. */
    public static final String HEALTH = "org.springframework.boot.actuate.health";

    /**
     * How a server is chosen where several are on the class path.
     *
     * @param excluded from auto-configuration
     * @param added to the application
     */
    public record Container(List<Class<?>> excluded, List<Class<?>> added) {}

    /** The server that Spring Boot 3 prefers. */
    public static final Container TOMCAT = new Container(List.of(), List.of());

    public static final Container JETTY = new Container(List.of(), List.of(OnJetty.class));
    public static final Container NETTY = new Container(List.of(), List.of(OnNetty.class));

    static class OnJetty {

        @Bean
        JettyServletWebServerFactory server() {
            return new JettyServletWebServerFactory();
        }
    }

    static class OnNetty {

        @Bean
        NettyReactiveWebServerFactory server() {
            return new NettyReactiveWebServerFactory();
        }
    }

    private Boot() {}

    public static WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> tomcat(Consumer<Context> change) {
        return factory -> factory.addContextCustomizers(change::accept);
    }

    public static WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> jetty(Consumer<Server> change) {
        return factory -> factory.addServerCustomizers(change::accept);
    }
}
