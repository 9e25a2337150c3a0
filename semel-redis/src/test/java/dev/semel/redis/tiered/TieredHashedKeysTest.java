package dev.semel.redis.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.redis.StoredValues;
import dev.semel.redis.connection.Link;
import dev.semel.redis.uri.RedisUri;
import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.NoClearKeyContract;
import dev.semel.testkit.contract.NoClearValueContract;
import dev.semel.testsupport.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Redis in front of PostgreSQL: hashed keys")
class TieredHashedKeysTest implements NoClearKeyContract, NoClearValueContract, HashedKeysContract {

    private RedisServer server;
    private TieredPostgresHarness harness;

    @BeforeEach
    void open() {
        server = RedisServer.start();
        harness = new TieredPostgresHarness(server);
    }

    @AfterEach
    void close() {
        harness.close();
        server.close();
    }

    @Override
    public StoreHarness harness() {
        return harness;
    }

    @Override
    public List<byte[]> storage() throws SQLException {
        List<byte[]> all = new ArrayList<>();
        try (Link link = Link.open(RedisUri.parse(server.uri()))) {
            all.addAll(StoredValues.in(link));
        }
        assertThat(all).as("copies in Redis").isNotEmpty();
        try (Connection connection = harness.connections().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT r::text FROM semel_record r")) {
            while (rows.next()) {
                all.add(rows.getString(1).getBytes(StandardCharsets.UTF_8));
            }
        }
        return all;
    }
}
