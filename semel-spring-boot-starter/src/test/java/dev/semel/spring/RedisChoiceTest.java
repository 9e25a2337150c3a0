package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.redis.RedisStore;
import dev.semel.redis.tiered.TieredStore;
import dev.semel.testsupport.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("Redis as the store of an application, or in front of it,")
class RedisChoiceTest {

    private static RedisServer server;

    @TempDir
    Path directory;

    @EnableAutoConfiguration
    @RestController
    static class Application {

        @PostMapping("/")
        String number() {
            return UUID.randomUUID().toString();
        }
    }

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static @Nullable DataSource unneeded() {
        throw new AssertionError("this store needs no DataSource");
    }

    private static Store open(String store, @Nullable String tier) {
        SemelProperties properties = tier == null
                ? Bound.properties("semel.store=" + store)
                : Bound.properties("semel.store=" + store, "semel.tier=" + tier);
        return StoreChoice.open(properties, RedisChoiceTest::unneeded);
    }

    @Test
    void keeps_what_was_answered_for_the_next_run() {
        String store = "semel.store=" + server.uri() + "?prefix=alone";
        String first;
        try (RunningApplication application = RunningApplication.plain(Application.class, store)) {
            assertThat(application.bean(Store.class)).isInstanceOf(RedisStore.class);
            first = application.post("/", "k", "{}").body();
        }
        try (RunningApplication again = RunningApplication.plain(Application.class, store)) {
            HttpResponse<String> retry = again.post("/", "k", "{}");
            assertThat(retry.body()).isEqualTo(first);
            assertThat(retry.headers().firstValue("Idempotency-Replayed")).contains("true");
        }
    }

    @Test
    void answers_for_the_database_behind_it_which_works_without_it() {
        String database = "spring.datasource.url=jdbc:sqlite:" + directory.resolve("app.db")
                + "?journal_mode=WAL&synchronous=FULL";
        try (RedisServer front = RedisServer.start();
                RunningApplication application =
                        RunningApplication.withDatabase(Application.class, database, "semel.tier=" + front.uri())) {
            assertThat(application.bean(Store.class))
                    .isInstanceOf(TieredStore.class)
                    .isInstanceOf(TransactionalStore.class);
            String first = application.post("/", "k", "{}").body();
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(front.call("DBSIZE")).isNotEqualTo(0L));
            assertThat(application.post("/", "k", "{}").body()).isEqualTo(first);

            front.kill();

            assertThat(application.post("/", "k", "{}").body()).isEqualTo(first);
            assertThat(application.post("/", "k2", "{}").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    memory:       | redis://localhost       | the property semel.tier is wrong: semel.tier puts Redis in front of a database
                    sqlite:%s     | postgresql://u:hunter2@h/db | the property semel.tier is wrong: not the URI of a Redis: use redis://
                    sqlite:%s     | redis://u:hunter2@h:port    | the property semel.tier is wrong: redis: has a malformed host
                    redis://h/x   |                         | the property semel.store is wrong: redis: the database is a number
                    """)
    void is_refused_in_the_wrong_property(String store, @Nullable String tier, String advice) {
        String choice = store.replace("%s", directory.resolve("a.db").toString());
        assertThatThrownBy(() -> open(choice, tier))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(advice)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void cannot_be_in_front_of_itself() {
        String store = server.uri() + "?prefix=twice";
        assertThatThrownBy(() -> open(store, server.uri()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("puts Redis in front of a database");
    }

    /** With the class path of an application that has the starter, and not the module. */
    @ParameterizedTest
    @CsvSource(value = {"redis://localhost, ", "memory:, redis://localhost"})
    void names_its_module_where_that_is_missing(String store, @Nullable String tier) throws Exception {
        try (URLClassLoader without = withoutRedis()) {
            Method open = without.loadClass(RedisChoiceTest.class.getName())
                    .getDeclaredMethod("open", String.class, String.class);
            open.setAccessible(true);

            assertThatThrownBy(() -> open.invoke(null, store, tier))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .hasMessageContaining("dev.semel:semel-redis");
        }
    }

    private static URLClassLoader withoutRedis() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains("semel-redis")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
}
