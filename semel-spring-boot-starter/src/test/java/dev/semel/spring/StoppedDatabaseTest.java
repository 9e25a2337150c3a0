package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("While the database is frozen, with its connections open, an application")
class StoppedDatabaseTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "stores.md");

    @TempDir
    static Path directory;

    private static PostgresServer server;

    @EnableAutoConfiguration
    @RestController
    static class Shop {

        final AtomicInteger orders = new AtomicInteger();

        @PostMapping({"/orders", "/bookings"})
        String order() {
            return "order " + orders.incrementAndGet();
        }
    }

    @BeforeAll
    static void start() {
        server = PostgresServer.builder()
                .dataDirectory(directory.resolve("postgresql"))
                .start();
    }

    @AfterEach
    void resume() {
        server.resume();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void answers_503_on_the_pool_of_the_store() {
        try (RunningApplication application = RunningApplication.plain(
                Shop.class,
                // Not the default of 15 s, which PostgresPoolTest shows: this test would last as long.
                "semel.store=" + server.newDatabase() + "?socketTimeout=1")) {
            assertUnavailableWhileFrozen(application, "/orders");
        }
    }

    @Test
    void answers_503_on_a_pool_with_the_limits_of_the_page() throws IOException {
        List<String> properties = limitsOfThePage();
        properties.add("spring.datasource.username=postgres");
        properties.add("semel.operations.book.match=POST /bookings");
        properties.add("semel.operations.book.transactional=true");
        try (LogLines log = new LogLines("dev.semel.jdbc");
                RunningApplication application =
                        RunningApplication.withDatabase(Shop.class, properties.toArray(String[]::new))) {
            assertThat(application.bean(DataSource.class))
                    .hasFieldOrPropertyWithValue("connectionTimeout", 3_000L)
                    .hasFieldOrPropertyWithValue("validationTimeout", 2_000L);
            assertThat(log.warnings()).isEmpty();

            assertUnavailableWhileFrozen(application, "/orders");
            assertUnavailableWhileFrozen(application, "/bookings");
        }
    }

    /** What a reader copies, on this server, and with a shorter wait for an answer. */
    private static List<String> limitsOfThePage() throws IOException {
        Matcher yaml =
                Pattern.compile("```yaml\n(spring:.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(yaml.find()).isTrue();
        String database = server.newDatabase();
        String here = yaml.group(1)
                .replace("jdbc:postgresql://db.example/shop", PostgresServer.jdbcUrl(database))
                .replace("socketTimeout=15", "socketTimeout=1");
        assertThat(here).contains(PostgresServer.jdbcUrl(database), "&socketTimeout=1");
        List<String> properties = new ArrayList<>();
        for (PropertySource<?> source : new YamlPropertySourceLoader()
                .load("page", new ByteArrayResource(here.getBytes(StandardCharsets.UTF_8)))) {
            for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
                properties.add(name + "=" + source.getProperty(name));
            }
        }
        return properties;
    }

    private static void assertUnavailableWhileFrozen(RunningApplication application, String path) {
        AtomicInteger orders = application.bean(Shop.class).orders;
        assertThat(application.post(path, newKey(), "{}").statusCode()).isEqualTo(200);
        int before = orders.get();

        server.pause();
        HttpResponse<String> refused = application.post(path, newKey(), "{}");
        server.resume();

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("idempotency_store_unavailable", "\"retryable\":true");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(orders).hasValue(before);
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(application.post(path, newKey(), "{}").statusCode())
                                .isEqualTo(200));
    }

    private static String newKey() {
        return UUID.randomUUID().toString();
    }
}
