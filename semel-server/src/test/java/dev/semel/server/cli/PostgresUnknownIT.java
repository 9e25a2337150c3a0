package dev.semel.server.cli;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Unknown outcomes in PostgreSQL, on the command line,")
class PostgresUnknownIT extends UnknownCommands {

    private static EmbeddedPostgres server;
    private static int databases;

    @BeforeAll
    static void startServer() throws IOException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @Override
    @BeforeEach
    void openStore() {
        databases++;
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE unknown_" + databases);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        super.openStore();
    }

    @Override
    String uri() {
        return "postgresql://postgres:postgres@127.0.0.1:" + server.getPort() + "/unknown_" + databases;
    }
}
