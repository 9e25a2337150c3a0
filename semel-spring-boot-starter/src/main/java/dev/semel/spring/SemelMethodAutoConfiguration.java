package dev.semel.spring;

import dev.semel.Intent.ReplayCheck;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import java.util.Optional;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.security.core.context.SecurityContextHolder;

/** Methods of beans that are {@link Idempotent}. */
@AutoConfiguration(
        after = {SemelTransactionAutoConfiguration.class, SemelJsonAutoConfiguration.class, AopAutoConfiguration.class})
@ConditionalOnBean({SemelEngine.class, Operations.class, CallJson.class})
public final class SemelMethodAutoConfiguration {

    @Bean
    CurrentAttempt semelCurrentAttempt() {
        return new CurrentAttempt();
    }

    /** Where Spring Security filters requests, a method that an anonymous caller may call must name the owner of its key. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SecurityContextHolder.class)
    static class WithSecurity {

        @Bean
        @ConditionalOnMissingBean
        MethodScopes semelMethodScopes(BeanFactory beans) {
            MethodScopes authenticated = new SecurityMethodScopes();
            return beans.containsBean(SemelAutoConfiguration.SECURITY_FILTER)
                    ? authenticated
                    : new AnonymousFallback(authenticated);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.security.core.context.SecurityContextHolder")
    static class WithoutSecurity {

        @Bean
        @ConditionalOnMissingBean
        MethodScopes semelMethodScopes() {
            return new AnonymousFallback(Optional::empty);
        }
    }

    @Bean
    IdempotentCalls semelCalls(
            SemelEngine semel,
            Operations operations,
            MethodScopes scopes,
            Fingerprinter fingerprinter,
            CurrentAttempt current,
            CallJson json,
            ObjectProvider<MethodTransactions> transactions,
            ObjectProvider<ReplayCheck> checks) {
        CallFormat format = new CallFormat(json);
        return new IdempotentCalls(
                semel,
                new MethodIntents(
                        operations, scopes, fingerprinter, format, GateConfiguration.all(checks.orderedStream())),
                format,
                current,
                transactions.getIfUnique(() -> MethodTransactions.NONE));
    }

    /** Registers Spring's proxy creator, which may not be there otherwise. */
    @Bean
    static BeanFactoryPostProcessor semelProxies() {
        return beans -> AopConfigUtils.registerAutoProxyCreatorIfNecessary((BeanDefinitionRegistry) beans);
    }

    /** Created before most beans, and therefore gets what it needs when a method is called. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentAdvisor semelAdvisor(ObjectProvider<IdempotentCalls> calls) {
        return new IdempotentAdvisor((method, call) -> calls.getObject().invoke(method, call));
    }

    /** Fails at start for what would fail at the first call. */
    @Bean
    SmartInitializingSingleton semelMethodCheck(
            IdempotentAdvisor advisor, Operations operations, ObjectProvider<MethodTransactions> transactions) {
        return () -> advisor.methods().forEach(method -> {
            operations.known(method.operation());
            transactions.ifUnique(available -> available.check(method));
        });
    }
}
