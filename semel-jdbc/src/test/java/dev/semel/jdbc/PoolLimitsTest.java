package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.Scope;
import dev.semel.engine.Store;
import dev.semel.jdbc.mysql.MysqlStore;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.jdbc.testing.LogLines;
import dev.semel.jdbc.testing.NotedTimeouts;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.servers.PostgresServer;
import java.net.URI;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("How long a store on the application's pool waits for a database that does not answer")
class PoolLimitsTest {

    private static final Identity ABSENT = new Identity(Scope.of("acme"), Key.of("absent"));

    private static HikariDataSource pool(String jdbcUrl, long connectionTimeoutMillis) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("shop");
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(connectionTimeoutMillis);
        return new HikariDataSource(config);
    }

    private static String postgresql() {
        return PostgresServer.jdbcUrl(PostgresServer.shared().newDatabase()) + "?user=postgres";
    }

    private static String mariadb() {
        URI uri = URI.create(MariadbServer.shared().newDatabase());
        String[] user = uri.getUserInfo().split(":", -1);
        return "jdbc:mariadb://" + uri.getHost() + ":" + uri.getPort() + uri.getPath() + "?user=" + user[0]
                + "&password=" + user[1];
    }

    private static List<String> warnings(HikariDataSource pool, Function<DataSource, Store> store) {
        try (pool;
                LogLines log = new LogLines("dev.semel.jdbc")) {
            store.apply(pool).close();
            return log.warnings();
        }
    }

    @Test
    void is_warned_of_when_it_is_longer_than_clients_wait() {
        String postgresql = postgresql();
        String mariadb = mariadb();

        assertThat(warnings(pool(postgresql, 30_000), PostgresStore::new))
                .singleElement(STRING)
                .contains("while PostgreSQL is stopped or the pool shop is used up")
                .contains("holds its thread for 30000 ms")
                .contains("spring.datasource.hikari.connection-timeout=3000");
        assertThat(warnings(pool(mariadb, 10_001), MysqlStore::new))
                .singleElement(STRING)
                .contains("while MySQL is stopped")
                .contains("for 10001 ms");
        assertThat(warnings(pool(postgresql, 10_000), PostgresStore::new)).isEmpty();
    }

    @Test
    void has_an_end_where_the_driver_has_none() {
        NotedTimeouts unlimited = new NotedTimeouts(
                PostgresServer.dataSource(PostgresServer.shared().newDatabase()));
        try (Store store = new PostgresStore(unlimited.dataSource())) {
            unlimited.clear();
            assertThat(store.blocking().find(ABSENT)).isEmpty();
        }
        assertThat(unlimited.whileUsed()).isNotEmpty().containsOnly(15_000);
        assertThat(unlimited.afterUse()).isNotEmpty().containsOnly(0);

        try (HikariDataSource pool = pool(postgresql() + "&socketTimeout=7", 3_000)) {
            NotedTimeouts limited = new NotedTimeouts(pool);
            try (Store store = new PostgresStore(limited.dataSource())) {
                limited.clear();
                assertThat(store.blocking().find(ABSENT)).isEmpty();
            }
            assertThat(limited.whileUsed()).isNotEmpty().containsOnly(7_000);
        }
    }

    @Test
    void has_an_end_in_MariaDB_too() {
        try (HikariDataSource pool = pool(mariadb(), 3_000)) {
            NotedTimeouts noted = new NotedTimeouts(pool);
            try (Store store = new MysqlStore(noted.dataSource())) {
                noted.clear();
                assertThat(store.blocking().find(ABSENT)).isEmpty();
            }
            assertThat(noted.whileUsed()).isNotEmpty().containsOnly(15_000);
            assertThat(noted.afterUse()).isNotEmpty().containsOnly(0);
        }
    }
}
