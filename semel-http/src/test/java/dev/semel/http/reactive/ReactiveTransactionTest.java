package dev.semel.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.TransactionRunner;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.jdbc.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@DisplayName("One transaction in a reactive application")
class ReactiveTransactionTest {

    @TempDir
    private Path folder;

    private DataSource dataSource;
    private SemelEngine semel;

    @BeforeEach
    void open() throws SQLException {
        Path file = folder.resolve("semel.db");
        dataSource = SqliteStore.dataSource(file);
        semel = SemelEngine.on(SqliteStore.open(file)).build();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)");
        }
    }

    @AfterEach
    void close() {
        semel.close();
    }

    private static String book(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO orders DEFAULT VALUES");
        }
        return "booked";
    }

    private Mono<Execution<String>> place(Intent intent) {
        Mono<Execution<String>> placed = Mono.fromCallable(() -> semel.executeInTransaction(
                        dataSource, intent, Codec.text(), (connection, attempt) -> book(connection)))
                .subscribeOn(Schedulers.boundedElastic());
        return placed;
    }

    @Test
    void is_made_by_jdbc_as_documented() throws SQLException {
        Intent intent = Intent.of(
                Operation.named("place-order"),
                Scope.of("acme"),
                Key.of("order-42"),
                Fingerprinter.sha256().ofText("one book"));

        assertThat(place(intent).block()).isInstanceOf(Execution.Ran.class);
        assertThat(place(intent).block()).isInstanceOf(Execution.Replayed.class);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet orders = statement.executeQuery("SELECT count(*) FROM orders")) {
            assertThat(orders.getInt(1)).isEqualTo(1);
        }
    }

    @Test
    void is_documented_by_code_that_is_compiled_here() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/semel/http/reactive/ReactiveTransactionTest.java"));
        String page = Files.readString(Path.of("../docs/how-to/one-transaction.md"));
        String snippet = page.substring(page.indexOf("Mono<Execution<String>> placed"));

        assertThat(bare(source)).contains(bare(snippet.substring(0, snippet.indexOf("```"))));
    }

    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void is_refused_on_a_route_at_start() {
        Routes routes = Routes.builder()
                .protect(
                        "POST",
                        "/orders",
                        RoutePolicy.of(Operation.named("place-order"))
                                .inTransaction(TransactionRunner.on(dataSource))
                                .build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build();

        assertThatThrownBy(() -> new SemelWebFilter(gate))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("transaction");
    }
}
