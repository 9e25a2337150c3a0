package dev.semel.spring;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Refuses versions of Spring Boot that this starter is not made for, before any of its other classes is loaded. */
final class VersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        if (context.getEnvironment().getProperty("semel.enabled", Boolean.class, true)) {
            ThisStarter.STARTER.refusal(SpringBootVersion.getVersion()).ifPresent(refusal -> {
                throw new UnsupportedVersionException(refusal);
            });
        }
    }
}
