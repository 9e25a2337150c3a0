package dev.semel.spring;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The choices of Jackson that {@link SemelJsonAutoConfiguration} imports in order. Nested in it, they would have none. */
final class JacksonChoices {

    private JacksonChoices() {}

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
