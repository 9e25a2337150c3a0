package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.engine.Store;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("The store of an application")
class StoreChoiceTest {

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

    @Test
    void is_the_database_that_the_application_has() {
        String url = "spring.datasource.url=jdbc:sqlite:" + directory.resolve("app.db")
                + "?journal_mode=WAL&synchronous=FULL";
        String first;
        try (RunningApplication application = RunningApplication.withDatabase(Application.class, url)) {
            assertThat(application.bean(Store.class)).isInstanceOf(SqliteStore.class);
            first = application.post("/", "k", "{}").body();
        }
        try (RunningApplication again = RunningApplication.withDatabase(Application.class, url)) {
            assertThat(again.post("/", "k", "{}").body()).isEqualTo(first);
        }
    }

    @Test
    void needs_no_DataSource_where_a_property_names_it() {
        Store store = StoreChoice.open(Bound.properties("semel.store=memory:"), () -> {
            throw new AssertionError("this store needs no DataSource");
        });
        assertThat(store).isInstanceOf(MemoryStore.class);
        store.close();
    }

    @Test
    void cannot_be_just_any_database() {
        DataSource unknown = proxy(DataSource.class, proxy(Connection.class, proxy(DatabaseMetaData.class, "Oracle")));

        assertThatThrownBy(() -> StoreChoice.open(Bound.properties(), () -> unknown))
                .hasMessageContaining(
                        "the database of the DataSource is Oracle, which is not supported for records: PostgreSQL, MySQL,");
    }

    /** Answers every call with this value, where the type fits. */
    private static <T> T proxy(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getReturnType().isInstance(answer) ? answer : null));
    }
}
