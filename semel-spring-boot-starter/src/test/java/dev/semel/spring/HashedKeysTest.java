package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Identity;
import dev.semel.OutcomeUnknownException;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("An application with semel.keys")
class HashedKeysTest {

    private static final String SECRET =
            Base64.getEncoder().encodeToString("x".repeat(32).getBytes());
    private static final String OTHER_SECRET =
            Base64.getEncoder().encodeToString("y".repeat(32).getBytes());
    private static final String KEY = "jane@example.com";

    @TempDir
    Path directory;

    @EnableAutoConfiguration
    @RestController
    static class Application {

        @PostMapping("/")
        String number() {
            return UUID.randomUUID().toString();
        }

        @PostMapping("/lost")
        String lost() {
            throw new OutcomeUnknownException("timeout");
        }
    }

    private RunningApplication start(String... properties) {
        String[] all = new String[properties.length + 2];
        all[0] = "semel.store=sqlite:" + directory.resolve("semel.db");
        all[1] = "management.endpoints.web.exposure.include=idempotency";
        System.arraycopy(properties, 0, all, 2, properties.length);
        return RunningApplication.plain(Application.class, all);
    }

    private static String[] hashed(String secret) {
        return new String[] {"semel.keys=hashed", "semel.keys-secret=" + secret};
    }

    private static HttpResponse<String> get(RunningApplication application, String path) {
        return application.send(HttpRequest.newBuilder(application.uri(path)).header("Idempotency-Key", KEY));
    }

    private static String record(String scope, String key) {
        return "/actuator/idempotency/record?scope=" + URLEncoder.encode(scope, StandardCharsets.UTF_8) + "&key="
                + URLEncoder.encode(key, StandardCharsets.UTF_8);
    }

    @Test
    void hashed_executes_once_answers_the_status_and_is_found_by_the_typed_key() {
        String first;
        try (RunningApplication application = start(hashed(SECRET))) {
            first = application.post("/", KEY, "{}").body();
        }
        try (RunningApplication application = start(hashed(SECRET))) {
            assertThat(application.post("/", KEY, "{}").body()).isEqualTo(first);
            assertThat(get(application, "/idempotency/status").body()).isEqualTo(first);
            Identity stored = application.bean(SqliteStore.class).sample(10).stream()
                    .filter(identity -> identity.key().value().startsWith("h1:"))
                    .findFirst()
                    .orElseThrow();
            HttpResponse<String> shown = get(application, record(stored.scope().value(), KEY));
            assertThat(shown.statusCode()).as(shown.body()).isEqualTo(200);
        }
    }

    @Test
    void hashed_lists_stored_keys_by_which_records_are_found() {
        try (RunningApplication application = start(hashed(SECRET))) {
            application.post("/lost", KEY, "{}");
            List<StoredRecord> unknown =
                    application.bean(SemelEngine.class).unknownOutcomes().listUnknown(UnknownFilter.ALL, 10);
            String stored = unknown.get(0).identity().key().value();
            assertThat(get(application, "/actuator/idempotency").body())
                    .contains(stored)
                    .doesNotContain("jane");
            String scope = unknown.get(0).identity().scope().value();
            assertThat(get(application, record(scope, stored)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void never_changes_the_form_of_keys_on_a_store_that_is_in_use() {
        try (RunningApplication application = start(hashed(SECRET))) {
            application.post("/", KEY, "{}");
        }
        assertThatThrownBy(this::start)
                .rootCause()
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("hashed");
        assertThatThrownBy(() -> start(hashed(OTHER_SECRET)))
                .rootCause()
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("another secret");
    }

    @Test
    void does_not_become_hashed_over_records_with_keys_in_the_clear() {
        try (RunningApplication application = start()) {
            application.post("/", KEY, "{}");
        }
        assertThatThrownBy(() -> start(hashed(SECRET)))
                .rootCause()
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("in the clear");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    semel.keys=hashed |                               | semel.keys-secret is missing
                    semel.keys=hashed | semel.keys-secret=dG9vc2hvcnQ= | at least 32 are needed
                    semel.keys=hashed | semel.keys-secret=no!base64    | is not base64
                    semel.keys=clear  | semel.keys-secret=dG9vc2hvcnQ= | set semel.keys to hashed
                    """)
    void explains_what_is_wrong_with_the_secret_without_showing_it(String keys, String secret, String advice) {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SemelAutoConfiguration.class))
                .withPropertyValues("semel.store=memory:", keys)
                .withPropertyValues(secret == null ? new String[0] : new String[] {secret})
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining(advice)
                        .message()
                        .doesNotContain("dG9vc2hvcnQ=")
                        .doesNotContain("no!base64"));
    }
}
