package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.StoreException;
import dev.semel.jdbc.mysql.MysqlStore;
import dev.semel.jdbc.postgresql.PostgresStore;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLTransientConnectionException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A pool that gives no connection in time")
@Timeout(120)
class PoolFaultsTest {

    /** Opens a store on a pool to a server that accepts connections and says nothing on them. */
    private static void assertNoneCouldBeOpened(String server, String url, Function<DataSource, ?> store)
            throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url.formatted(silent.getLocalPort()));
            config.setMaximumPoolSize(4);
            config.setConnectionTimeout(250);
            config.setInitializationFailTimeout(-1);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                assertThatThrownBy(() -> store.apply(pool))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("no connection to " + server + " could be opened within 250 ms")
                        .hasMessageContaining("the pool has 0 of 4 open, 0 in use")
                        .hasMessageContaining("look at the load of the server")
                        .hasMessageNotContaining("raise poolSize")
                        .hasCauseInstanceOf(SQLTransientConnectionException.class);
            }
        }
    }

    @Test
    void does_not_say_that_all_are_in_use_when_none_could_be_opened() throws IOException {
        assertNoneCouldBeOpened("PostgreSQL", "jdbc:postgresql://127.0.0.1:%d/db?user=u", PostgresStore::new);
        assertNoneCouldBeOpened("MySQL", "jdbc:mariadb://127.0.0.1:%d/db?user=u", MysqlStore::new);
    }

    @Test
    void gives_no_counts_for_a_pool_without_counts() {
        DataSource foreign = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        throw new SQLTransientConnectionException("timed out");
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
        assertThatThrownBy(() -> new PostgresStore(foreign))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("became free or could be opened in time");
    }
}
