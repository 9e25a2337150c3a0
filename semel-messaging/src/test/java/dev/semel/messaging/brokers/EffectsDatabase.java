package dev.semel.messaging.brokers;

import dev.semel.jdbc.StoreUri;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A real PostgreSQL server with the table that consumers write their effects to; nothing there forbids an effect twice. */
public final class EffectsDatabase implements AutoCloseable {

    private final EmbeddedPostgres server;

    private EffectsDatabase(EmbeddedPostgres server) {
        this.server = server;
    }

    public static EffectsDatabase start() throws IOException, SQLException {
        EffectsDatabase database = new EffectsDatabase(EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start());
        try (Connection connection = database.server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE effect (intent text NOT NULL)");
        }
        return database;
    }

    public String uri() {
        return "postgresql://postgres@localhost:" + server.getPort() + "/postgres?poolSize=4";
    }

    public StoreUri.Postgresql storeUri() {
        return (StoreUri.Postgresql) StoreUri.parse(uri());
    }

    public int effects() throws SQLException {
        return count("SELECT count(*) FROM effect");
    }

    public int intents() throws SQLException {
        return count("SELECT count(DISTINCT intent) FROM effect");
    }

    private int count(String query) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
