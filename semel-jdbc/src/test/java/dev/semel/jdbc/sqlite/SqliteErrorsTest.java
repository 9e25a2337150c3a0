package dev.semel.jdbc.sqlite;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("SQLite: what is left behind when a transaction ends unexpectedly")
@Timeout(300)
class SqliteErrorsTest {

    private static final SqliteOptions IMPATIENT = new SqliteOptions(SchemaMode.CREATE, Duration.ofMillis(200));

    @TempDir
    Path directory;

    /** When set, the next statement whose SQL contains this text ends with an error of the virtual machine. */
    private final AtomicReference<String> fatal = new AtomicReference<>("nothing");

    private DataSource failing(Path file) {
        return failing(DataSource.class, SqliteStore.dataSource(file));
    }

    private <T> T failing(Class<T> type, T inner) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (arguments != null
                    && arguments.length > 0
                    && arguments[0] instanceof String sql
                    && sql.contains(fatal.get())) {
                fatal.set("nothing");
                throw new OutOfMemoryError("injected");
            }
            try {
                Object result = method.invoke(inner, arguments);
                return result instanceof Connection connection ? failing(Connection.class, connection) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Test
    void an_error_in_a_transaction_gives_the_write_lock_back() {
        Path file = directory.resolve("semel.db");
        try (SqliteStore store = new SqliteStore(failing(file), IMPATIENT);
                SqliteStore other = SqliteStore.open(file, IMPATIENT)) {
            fatal.set("SET last = max(last, ?) + ?");
            assertThatThrownBy(() -> await(store.claim(request("k")))).hasCauseInstanceOf(OutOfMemoryError.class);

            assertThat(await(other.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
            assertThat(await(store.claim(request("another")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    void an_error_while_reading_leaves_the_store_usable() {
        Path file = directory.resolve("semel.db");
        try (SqliteStore store = new SqliteStore(failing(file), IMPATIENT)) {
            for (int i = 0; i < 10; i++) {
                fatal.set("FROM semel_record r");
                assertThatThrownBy(() -> store.claim(request("k"))).isInstanceOf(OutOfMemoryError.class);
            }
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    void work_that_was_interrupted_after_its_effect_is_on_record_all_the_same() {
        Operation longest =
                Operation.named("charge").retention(Duration.ofDays(36_500)).lease(Duration.ofDays(36_500));
        Intent intent = Intent.of(longest, Scope.GLOBAL, Key.of("k"), new Fingerprint("v1:meant"));
        try (SemelEngine semel = SemelEngine.on(SqliteStore.open(directory.resolve("semel.db"), IMPATIENT))
                .build()) {
            Execution<String> execution = semel.execute(intent, Codec.text(), attempt -> {
                Thread.currentThread().interrupt();
                return "charged";
            });
            assertThat(Thread.interrupted()).as("the caller's interrupt").isTrue();
            assertThat(execution).isInstanceOf(Execution.Ran.class);
            assertThat(semel.execute(intent, Codec.text(), attempt -> "charged twice"))
                    .isEqualTo(new Execution.Replayed<>("charged"));
        }
    }

    @Test
    @DisplayName("I2: a file whose counter of fences is gone grants nothing")
    void a_file_without_its_counter_grants_nothing() throws SQLException {
        Path file = directory.resolve("semel.db");
        try (SqliteStore store = SqliteStore.open(file, IMPATIENT)) {
            try (Connection connection = SqliteStore.dataSource(file).getConnection();
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("DELETE FROM semel_fence");
            }
            assertThatThrownBy(() -> await(store.claim(request("k"))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("semel_fence");
        }
    }
}
