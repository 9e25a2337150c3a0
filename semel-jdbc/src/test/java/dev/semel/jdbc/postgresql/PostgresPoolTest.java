package dev.semel.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pool of a store in PostgreSQL")
class PostgresPoolTest {

    private static HikariDataSource pool(String uri) {
        return PostgresPool.open(((StoreUri.Postgresql) StoreUri.parse(uri)).server());
    }

    @Test
    void lets_no_request_wait_long_for_a_stopped_server() {
        try (HikariDataSource pool = pool("postgresql://localhost:1/absent")) {
            assertThat(pool.getConnectionTimeout()).isEqualTo(3_000);
            assertThat(pool.getValidationTimeout()).isLessThan(pool.getConnectionTimeout());
            assertThat(pool.getDataSourceProperties())
                    .containsEntry("connectTimeout", "3")
                    .containsEntry("loginTimeout", "3")
                    .containsEntry("socketTimeout", "15");
        }
    }

    @Test
    void takes_other_limits_from_the_URI() {
        try (HikariDataSource pool = pool("postgresql://localhost:1/absent?socketTimeout=2&poolSize=4")) {
            assertThat(pool.getDataSourceProperties()).containsEntry("socketTimeout", "2");
            assertThat(pool.getMaximumPoolSize()).isEqualTo(4);
        }
    }
}
