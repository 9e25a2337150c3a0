package dev.semel.spring;

import dev.semel.cache.CaffeineNearCache;
import dev.semel.engine.NearCache;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The near-cache, which keeps completed records in memory, where {@code semel.near-cache.enabled} is true. */
@AutoConfiguration(before = SemelAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "semel.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "semel.near-cache.enabled")
@EnableConfigurationProperties(SemelProperties.class)
public final class SemelNearCacheAutoConfiguration {

    private static final String MODULE_CLASS = "dev.semel.cache.CaffeineNearCache";

    /** With the module semel-cache. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = MODULE_CLASS)
    static final class OnCaffeine {

        @Bean
        @ConditionalOnMissingBean(NearCache.class)
        CaffeineNearCache semelNearCache(SemelProperties properties) {
            SemelProperties.NearCacheProperties cache = properties.nearCache();
            CaffeineNearCache.Builder builder = CaffeineNearCache.builder();
            Operations.checked(
                    "semel.near-cache.max-bytes",
                    cache.maxBytes(),
                    () -> builder.maxBytes(cache.maxBytes().toBytes()));
            Operations.checked("semel.near-cache.max-age", cache.maxAge(), () -> builder.maxAge(cache.maxAge()));
            return builder.build();
        }
    }

    /** Without the module: the start fails instead of running without the cache. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(MODULE_CLASS)
    @ConditionalOnMissingBean(NearCache.class)
    static final class Missing {

        Missing() {
            throw new InvalidConfigurationPropertyValueException(
                    "semel.near-cache.enabled",
                    true,
                    "The near-cache is in another module. Add the dependency dev.semel:semel-cache, or define a bean of"
                            + " type NearCache.");
        }
    }
}
