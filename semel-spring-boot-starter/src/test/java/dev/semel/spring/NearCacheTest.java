package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.cache.CaffeineNearCache;
import dev.semel.engine.NearCache;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.stores.FaultyStore;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

@DisplayName("A near-cache")
class NearCacheTest {

    private static final String ENABLED = "semel.near-cache.enabled=true";

    /** Without a stereotype: the applications of other tests scan this package. */
    @EnableAutoConfiguration
    static class Payments {

        private final AtomicInteger taken = new AtomicInteger();

        @Bean(destroyMethod = "")
        FaultyStore store() {
            return new FaultyStore(new MemoryStore());
        }

        @Bean
        RouterFunction<ServerResponse> routes() {
            return RouterFunctions.route()
                    .POST("/payments", request -> ServerResponse.ok().body("payment " + taken.incrementAndGet()))
                    .build();
        }
    }

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SemelNearCacheAutoConfiguration.class, SemelAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:");

    @Test
    void replays_while_the_store_is_unavailable() {
        try (RunningApplication application = RunningApplication.plain(Payments.class, ENABLED)) {
            HttpResponse<String> first = application.post("/payments", "k-1", "{}");
            application.bean(FaultyStore.class).down();

            HttpResponse<String> second = application.post("/payments", "k-1", "{}");

            assertThat(second.statusCode()).isEqualTo(200);
            assertThat(second.body()).isEqualTo(first.body()).isEqualTo("payment 1");
            assertThat(RunningApplication.isReplay(second)).isTrue();
            assertThat(application.post("/payments", "k-2", "{}").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void is_used_only_where_it_is_enabled() {
        contexts.run(context -> assertThat(context).doesNotHaveBean(NearCache.class));
        contexts.withPropertyValues(ENABLED, "semel.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(NearCache.class));
    }

    @Test
    void takes_as_much_memory_as_it_may() {
        contexts.withPropertyValues(ENABLED, "semel.near-cache.max-bytes=1MB")
                .run(context -> assertThat(context.getBean(CaffeineNearCache.class)
                                .statistics()
                                .maxBytes())
                        .isEqualTo(1 << 20));
    }

    @Test
    void names_the_setting_that_is_wrong() {
        contexts.withPropertyValues(ENABLED, "semel.near-cache.max-age=0s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                wrong -> assertThat(wrong.getName()).isEqualTo("semel.near-cache.max-age")));
    }

    @Test
    void fails_at_start_without_its_module() {
        contexts.withClassLoader(new FilteredClassLoader("dev.semel.cache"))
                .withPropertyValues(ENABLED)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                wrong -> assertThat(wrong.getReason()).contains("dev.semel:semel-cache")));
    }

    @Test
    void of_the_applications_own_needs_no_module() {
        contexts.withClassLoader(new FilteredClassLoader("dev.semel.cache"))
                .withPropertyValues(ENABLED)
                .withBean("own", NearCache.class, NoCache::new)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(NearCache.class));
    }

    private static final class NoCache implements NearCache {

        @Override
        public Optional<Entry> find(Identity identity) {
            return Optional.empty();
        }

        @Override
        public void keep(Entry entry, Duration atMost) {}

        @Override
        public void forget(Identity identity) {}

        @Override
        public void clear() {}
    }
}
