package dev.semel.spring;

import dev.semel.engine.SemelEngine;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/** Refuses methods that are {@link Idempotent} where Jackson is missing, instead of running them unprotected. */
@AutoConfiguration(after = SemelJsonAutoConfiguration.class)
@ConditionalOnMissingBean(CallJson.class)
@ConditionalOnBean({SemelEngine.class, Operations.class})
public final class SemelWithoutJsonAutoConfiguration {

    @Bean
    static BeanFactoryPostProcessor semelProxies() {
        return beans -> AopConfigUtils.registerAutoProxyCreatorIfNecessary((BeanDefinitionRegistry) beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentAdvisor semelAdvisor() {
        return new IdempotentAdvisor((method, call) -> {
            throw refused(method);
        });
    }

    @Bean
    SmartInitializingSingleton semelMethodCheck(IdempotentAdvisor advisor) {
        return () -> advisor.methods().stream().findFirst().ifPresent(method -> {
            throw refused(method);
        });
    }

    private static IllegalStateException refused(IdempotentMethod method) {
        return new IllegalStateException("@Idempotent on " + IdempotentMethod.nameOf(method.method())
                + ": its result is recorded as JSON, but Jackson is missing; add the dependency"
                + " org.springframework.boot:" + ThisStarter.JACKSON);
    }
}
