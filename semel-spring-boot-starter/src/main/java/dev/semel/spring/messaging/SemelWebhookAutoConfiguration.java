package dev.semel.spring.messaging;

import dev.semel.engine.SemelEngine;
import dev.semel.spring.Operations;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelProperties;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Webhook endpoints by {@code semel.webhooks}, with the module semel-messaging in a Spring MVC application. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnBean({SemelEngine.class, Operations.class})
@ConditionalOnPropertiesUnder("semel.webhooks")
public final class SemelWebhookAutoConfiguration {

    private static final String MODULE_CLASS = "dev.semel.messaging.webhook.WebhookReceiver";
    private static final String SPRING_MVC = "org.springframework.web.servlet.DispatcherServlet";

    /** The routes. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {MODULE_CLASS, SPRING_MVC})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static final class Endpoints {

        @Bean
        RouterFunction<ServerResponse> semelWebhookRoutes(
                SemelEngine semel, Operations operations, ListableBeanFactory beans, SemelProperties properties) {
            return new WebhookEndpoints(semel, operations, beans).routes(properties.webhooks());
        }
    }

    /** Without the module: the properties are refused, since no endpoint would follow them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(MODULE_CLASS)
    static final class WithoutMessaging {

        WithoutMessaging() {
            throw new WebhookConfigurationException(
                    "The properties semel.webhooks.* configure endpoints, which are a module of their own.",
                    "Add the dependency dev.semel:semel-messaging, or remove the properties.");
        }
    }

    /** In an application of another kind, they are refused as well. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = MODULE_CLASS)
    @Conditional(NotSpringMvc.class)
    static final class WithoutSpringMvc {

        WithoutSpringMvc() {
            throw new WebhookConfigurationException(
                    "The properties semel.webhooks.* configure endpoints of Spring MVC, which this application"
                            + " does not use.",
                    "Add spring-boot-starter-webmvc, or remove the properties and call a WebhookReceiver from your own"
                            + " endpoint.");
        }
    }

    /** The opposite of the condition of {@link Endpoints}. */
    static final class NotSpringMvc extends NoneNestedConditions {

        NotSpringMvc() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnClass(name = SPRING_MVC)
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        static final class SpringMvc {}
    }
}
