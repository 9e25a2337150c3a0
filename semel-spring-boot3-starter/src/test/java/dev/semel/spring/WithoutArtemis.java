package dev.semel.spring;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.boot.autoconfigure.jms.artemis.ArtemisAutoConfiguration;

/** Leaves Artemis out, which is on the class path for some tests: Spring Boot 3 would start it in every application. */
public final class WithoutArtemis implements AutoConfigurationImportFilter {

    @Override
    public boolean[] match(String[] autoConfigurations, AutoConfigurationMetadata metadata) {
        boolean[] kept = new boolean[autoConfigurations.length];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = !ArtemisAutoConfiguration.class.getName().equals(autoConfigurations[i]);
        }
        return kept;
    }
}
