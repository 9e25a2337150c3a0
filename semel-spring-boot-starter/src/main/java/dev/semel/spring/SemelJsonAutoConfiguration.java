package dev.semel.spring;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/**
 * The Jackson of {@link Idempotent} methods: the one that the application has a mapper of, otherwise the one on its class path,
 * and 3 before 2.
 */
@AutoConfiguration(
        after = SemelAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration",
            // Of Spring Boot 3.
            "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
        })
@ConditionalOnBean(Operations.class)
@Import({
    SemelJsonAutoConfiguration.Mapper3.class,
    SemelJsonAutoConfiguration.Mapper2.class,
    SemelJsonAutoConfiguration.Library3.class,
    SemelJsonAutoConfiguration.Library2.class
})
public final class SemelJsonAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    @ConditionalOnBean(JsonMapper.class)
    static class Mapper3 {

        @Bean
        CallJson semelCallJson(ObjectProvider<JsonMapper> mapper) {
            return new Jackson3Json(mapper.getIfUnique(Jackson3Json::mapper));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObjectMapper.class)
    @ConditionalOnBean(ObjectMapper.class)
    @ConditionalOnMissingBean(CallJson.class)
    static class Mapper2 {

        @Bean
        CallJson semelCallJson(ObjectProvider<ObjectMapper> mapper) {
            return new Jackson2Json(mapper.getIfUnique(Jackson2Json::mapper));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    @ConditionalOnMissingBean(CallJson.class)
    static class Library3 {

        @Bean
        CallJson semelCallJson() {
            return new Jackson3Json(Jackson3Json.mapper());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObjectMapper.class)
    @ConditionalOnMissingBean(CallJson.class)
    static class Library2 {

        @Bean
        CallJson semelCallJson() {
            return new Jackson2Json(Jackson2Json.mapper());
        }
    }
}
