package dev.semel.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.jdbc.StoreUri;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The option --store of bench")
class OpenDatabasesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql",
                "mariadb",
                "sqlite",
                "sqlite:bench.db",
                "postgresql://alice:secret@localhost:5432/app",
                "mysql://alice:secret@localhost:3306/app",
                "mariadb://alice:secret@localhost/app",
            })
    void understands_without_opening_anything(String store) {
        assertThatCode(() -> OpenDatabases.parse(store, 0)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "mariadb, 1, --sync-delay is for the PostgreSQL that is started here",
        "postgresql, -1, --sync-delay must be from 0 to 100000 microseconds",
        "postgresql, 100001, --sync-delay must be from 0 to 100000 microseconds",
    })
    void says_which_delays_there_are(String store, int micros, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpenDatabases.parse(store, micros))
                .withMessageStartingWith(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mysql", "oracle", "memory:"})
    void says_what_there_is(String store) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpenDatabases.parse(store, 0))
                .withMessageContaining("--store must be postgresql, mariadb, sqlite or redis")
                .withMessageContaining("mysql://");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://al%40ice:s%3Fcret@localhost:3306/app?poolSize=3&connectTimeout=700",
                "postgresql://al%40ice:s%3Fcret@one:1,two:2/app?lanes=7&acceptUnsafeDurability=true",
                "mysql://localhost/app",
            })
    void a_uri_survives_being_written(String text) {
        StoreUri uri = StoreUri.parse(text);

        assertThat(StoreUri.parse(new Database(Dialect.MYSQL, uri).uriText())).isEqualTo(uri);
    }

    @Test
    void distinguishes_a_durable_server_from_others() {
        assertThat(MysqlDatabases.described(Map.of(
                        "version", "11.4.5-MariaDB-log",
                        "innodb_flush_log_at_trx_commit", "1",
                        "log_bin", "OFF",
                        "sync_binlog", "0",
                        "innodb_buffer_pool_size", "536870912")))
                .isEqualTo(
                        "MariaDB 11.4.5, innodb_flush_log_at_trx_commit=1, log_bin=OFF, innodb_buffer_pool_size=512MB");
        assertThat(MysqlDatabases.described(Map.of(
                        "version", "8.4.3",
                        "version_comment", "MySQL Community Server",
                        "innodb_flush_log_at_trx_commit", "2",
                        "log_bin", "ON",
                        "sync_binlog", "1")))
                .isEqualTo("MySQL 8.4.3, innodb_flush_log_at_trx_commit=2, log_bin=ON, sync_binlog=1");
    }
}
