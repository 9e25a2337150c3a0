package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.Scope;
import dev.semel.engine.Store;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.reconcile.StoredRecord;
import dev.semel.testsupport.servers.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("What properties say about the store")
class StoreOptionsTest {

    private static final String SECRET = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

    @TempDir
    Path directory;

    @EnableAutoConfiguration
    @RestController
    static class Application {

        @PostMapping("/cards")
        String card() {
            return "card " + UUID.randomUUID();
        }
    }

    @Test
    void creates_no_tables_in_the_mode_validate() {
        DataSource empty = PostgresServer.dataSource(PostgresServer.shared().newDatabase());
        SemelProperties validate = Bound.properties("semel.jdbc.schema-mode=validate", "semel.jdbc.lanes=1");

        assertThatThrownBy(() -> StoreChoice.open(validate, () -> empty))
                .hasMessageContaining("the tables are not created yet");

        StoreChoice.open(Bound.properties("semel.jdbc.lanes=1"), () -> empty).close();
        try (Store store = StoreChoice.open(validate, () -> empty)) {
            assertThat(store).isInstanceOf(PostgresStore.class);
        }
    }

    @Test
    void starts_on_a_server_that_may_forget_if_that_is_accepted() {
        try (PostgresServer server =
                PostgresServer.builder().setting("synchronous_commit", "off").start()) {
            DataSource unsafe = PostgresServer.dataSource(server.uri());
            assertThatThrownBy(() -> StoreChoice.open(Bound.properties(), () -> unsafe))
                    .hasMessageContaining("synchronous_commit");
            StoreChoice.open(Bound.properties("semel.jdbc.accept-unsafe-durability=true"), () -> unsafe)
                    .close();
        }
    }

    @Test
    void encrypts_responses_and_keeps_requests_from_being_guessed() {
        String file = "semel.store=sqlite:" + directory.resolve("records.db");
        String[] old = {
            file,
            "semel.encryption.current=k1",
            "semel.encryption.keys.k1=" + SECRET,
            "semel.fingerprints.current=f1",
            "semel.fingerprints.keys.f1=" + SECRET
        };
        String first;
        try (RunningApplication application = RunningApplication.plain(Application.class, old)) {
            first = application.post("/cards", "k", "{}").body();
            StoredRecord record = application
                    .bean(Store.class)
                    .find(new Identity(Scope.ANONYMOUS, Key.of("k")))
                    .toCompletableFuture()
                    .join()
                    .orElseThrow();
            assertThat(record.fingerprint().value()).startsWith("v1.f1:");
            assertThat(new String(Objects.requireNonNull(record.response()).bytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("card ");
        }
        String[] rotated = {
            file,
            "semel.encryption.current=k2",
            "semel.encryption.keys.k1=" + SECRET,
            "semel.encryption.keys.k2=" + SECRET,
            "semel.fingerprints.current=f2",
            "semel.fingerprints.keys.f1=" + SECRET,
            "semel.fingerprints.keys.f2=" + SECRET
        };
        try (RunningApplication application = RunningApplication.plain(Application.class, rotated)) {
            assertThat(application.post("/cards", "k", "{}").body()).isEqualTo(first);
        }
    }
}
