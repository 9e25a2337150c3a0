package dev.semel.jdbc.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pool of a store in MySQL or MariaDB")
class MysqlPoolTest {

    @Test
    void lets_no_request_wait_long_for_a_stopped_server() {
        StoreUri.Mysql uri = (StoreUri.Mysql) StoreUri.parse("mysql://localhost:1/absent");
        try (HikariDataSource pool = MysqlPool.open(uri.server())) {
            assertThat(pool.getConnectionTimeout()).isEqualTo(3_000);
            assertThat(pool.getValidationTimeout()).isLessThan(pool.getConnectionTimeout());
            assertThat(pool.getDataSourceProperties())
                    .containsEntry("connectTimeout", "3000")
                    .containsEntry("socketTimeout", "15000");
        }
    }
}
