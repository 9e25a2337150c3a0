package dev.semel.examples.policies;

import dev.semel.http.key.KeyStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@code key: bean:oncePerUser}: a user joins a list once, with any client, with or without a key. */
@Configuration(proxyBeanMethods = false)
class UserActionKey {

    @Bean
    KeyStrategy oncePerUser() {
        return KeyStrategy.userAction("join", KeyStrategy.fromField("/list"));
    }
}
