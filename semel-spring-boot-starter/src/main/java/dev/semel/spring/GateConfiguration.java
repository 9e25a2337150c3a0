package dev.semel.spring;

import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.http.Gate;
import dev.semel.http.key.ScopeStrategy;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The gate, for servlet and reactive applications alike. */
@Configuration(proxyBeanMethods = false)
class GateConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Gate semelGate(
            SemelEngine semel,
            RouteTable routes,
            ScopeStrategy scopes,
            Fingerprinter fingerprinter,
            SemelProperties properties) {
        return properties
                .http()
                .configure(Gate.on(semel, routes.build(), scopes).fingerprinter(fingerprinter));
    }
}
