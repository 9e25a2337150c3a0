package dev.semel.spring.messaging;

import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageIdentity;
import dev.semel.spring.Operations;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelProperties;
import java.util.function.Function;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The inbox, with the module semel-messaging. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnBean({SemelEngine.class, Operations.class})
public final class SemelInboxAutoConfiguration {

    private static final String MODULE_CLASS = "dev.semel.messaging.Inbox";

    /** With the module. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = MODULE_CLASS)
    static final class WithMessaging {

        @Bean
        @ConditionalOnMissingBean
        Inboxes semelInboxes(SemelEngine semel, Operations operations, SemelProperties properties) {
            return new Inboxes(semel, operations, properties.inbox());
        }

        /** For consumers of the application's own, which pass the identity of each message. */
        @Bean
        @ConditionalOnMissingBean(Inbox.class)
        @ConditionalOnProperty("semel.inbox.group")
        Inbox<MessageIdentity> semelInbox(Inboxes inboxes, SemelProperties properties) {
            String group = String.valueOf(properties.inbox().group());
            return Configured.value(
                    "semel.inbox.group",
                    group,
                    () -> inboxes.builder(group, Function.<MessageIdentity>identity())
                            .build());
        }
    }

    /** Without it: properties of an inbox are refused, since nothing would follow them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(MODULE_CLASS)
    @ConditionalOnPropertiesUnder("semel.inbox")
    static final class WithoutMessaging {

        WithoutMessaging(SemelProperties properties) {
            throw new InvalidConfigurationPropertyValueException(
                    "semel.inbox",
                    properties.inbox(),
                    "The inbox is a module of its own. Add the dependency dev.semel:semel-messaging, or remove the"
                            + " properties.");
        }
    }
}
