package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.jdbc.config.DatabaseServer;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.mysql.MysqlOptions;
import dev.semel.jdbc.postgresql.PostgresOptions;
import dev.semel.jdbc.sqlite.SqliteOptions;
import dev.semel.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Store URIs")
class StoreUriTest {

    @Test
    void memory_has_nothing_but_its_scheme() {
        assertThat(StoreUri.parse("memory:")).isEqualTo(new StoreUri.Memory()).hasToString("memory:");
        assertThat(Stores.open("memory:")).isInstanceOf(MemoryStore.class);
    }

    @ParameterizedTest
    @CsvSource({
        "sqlite:semel.db, semel.db",
        "sqlite:data/semel.db, data/semel.db",
        "sqlite:/var/lib/semel.db, /var/lib/semel.db",
        "sqlite:///var/lib/semel.db, /var/lib/semel.db",
        "sqlite:my files/100%.db, my files/100%.db",
        "sqlite:./~/semel.db, ./~/semel.db",
    })
    void sqlite_is_followed_by_a_path_as_it_is(String uri, Path path) {
        assertThat(StoreUri.parse(uri)).isEqualTo(new StoreUri.Sqlite(path, SqliteOptions.DEFAULT));
    }

    @Test
    void sqlite_takes_parameters() {
        assertThat(StoreUri.parse("sqlite:a.db?schemaMode=validate&busyTimeoutMillis=250"))
                .isEqualTo(new StoreUri.Sqlite(
                        Path.of("a.db"), new SqliteOptions(SchemaMode.VALIDATE, Duration.ofMillis(250))));
    }

    @Test
    void postgresql_has_credentials_host_port_and_database() {
        assertThat(StoreUri.parse("postgresql://alice:s%40c%2Fr%3Fe+t@db.example:6432/pay%20ments"))
                .isEqualTo(new StoreUri.Postgresql(
                        new DatabaseServer(
                                "db.example:6432",
                                "pay ments",
                                new DatabaseServer.Credentials("alice", "s@c/r?e+t"),
                                new DatabaseServer.PoolOptions(10, Map.of())),
                        PostgresOptions.DEFAULT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://localhost/db",
                "postgresql://localhost/db",
                "postgresql://user@localhost/db",
                "postgresql://[::1]:5432/db",
                "postgresql://one:5432,two:5433/db?targetServerType=primary",
            })
    void postgresql_needs_no_more_than_host_and_database(String uri) {
        assertThat(StoreUri.parse(uri))
                .isInstanceOfSatisfying(
                        StoreUri.Postgresql.class,
                        parsed -> assertThat(parsed.server().database()).isEqualTo("db"));
    }

    @Test
    void postgresql_takes_parameters_and_passes_the_drivers_on() {
        StoreUri.Postgresql uri = (StoreUri.Postgresql) StoreUri.parse(
                "postgresql://h/db?poolSize=3&schemaMode=validate&acceptUnsafeDurability=true&sslmode=verify-full");
        assertThat(uri.server().pool()).isEqualTo(new DatabaseServer.PoolOptions(3, Map.of("sslmode", "verify-full")));
        assertThat(uri.options()).isEqualTo(new PostgresOptions(SchemaMode.VALIDATE, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mysql", "mariadb"})
    void mysql_has_credentials_host_port_and_database(String scheme) {
        StoreUri.Mysql uri = (StoreUri.Mysql) StoreUri.parse(
                scheme + "://alice:s%40c%2Fr%3Fe+t@db.example:3307/pay%20ments?lanes=3&poolSize=4&sslMode=verify-full");
        assertThat(uri)
                .isEqualTo(new StoreUri.Mysql(
                        new DatabaseServer(
                                "db.example:3307",
                                "pay ments",
                                new DatabaseServer.Credentials("alice", "s@c/r?e+t"),
                                new DatabaseServer.PoolOptions(4, Map.of("sslMode", "verify-full"))),
                        new MysqlOptions(SchemaMode.CREATE, false, 3)))
                .hasToString("mysql://alice@db.example:3307/pay ments");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | use memory:, sqlite:PATH, postgresql://",
                "semel.db | use memory:, sqlite:PATH, postgresql://",
                "oracle://localhost/db | no store has the scheme of this URI: use memory:",
                "oracle://localhost/db | mysql://user:password@host:port/database, redis://user:password@host:port,",
                "oracle://localhost/db | redis-sentinel://",
                "oracle://localhost/db | redis-cluster://",
                "oracle://localhost/db | dynamodb://TABLE?region=REGION",
                "oracle://localhost/db | cassandra://user:password@host:port,host:port/keyspace?dc=datacenter",
                "cassandra://one/semel | add dev.semel:semel-cassandra to the dependencies",
                "dynamodb://semel | add dev.semel:semel-dynamodb to the dependencies",
                "redis://localhost | add dev.semel:semel-redis to the dependencies",
                "rediss-cluster://one,two | add dev.semel:semel-redis to the dependencies",
                "memory:x | use memory:",
                "sqlite: | needs a file",
                "sqlite::memory: | memory: for a store that forgets",
                "sqlite://host/a.db | a SQLite file has no host",
                "sqlite:~/a.db | sqlite:~ is not your home directory: write it out",
                "sqlite:a.db?mode=ro | sqlite: has no parameter 'mode'",
                "sqlite:a.db?busyTimeoutMillis=0 | busyTimeoutMillis must be a whole number above zero",
                "postgresql:db | must be followed by two slashes",
                "postgresql://host | names no database",
                "postgresql://host/ | names no database",
                "postgresql:///db | malformed host or port",
                "postgresql://host:port/db | malformed host or port",
                "postgresql://host:99999/db | postgresql: has a port that is not between 1 and 65535",
                "mysql://host:0/db | mysql: has a port that is not between 1 and 65535",
                "jdbc:postgresql://host/db | drop `jdbc:` and use postgresql://user:password@host:port/database",
                "jdbc:mysql://host/db | drop `jdbc:` and use mysql://user:password@host:port/database",
                "jdbc:mariadb://host/db | drop `jdbc:` and use mysql://user:password@host:port/database",
                "jdbc:sqlite:a.db | drop `jdbc:` and use sqlite:PATH",
                "jdbc:oracle:thin:@host | not a JDBC URL: use memory:, sqlite:PATH",
                "postgresql://u:50%@host/db | the password in the store URI is not percent-encoded",
                "postgresql://host/db?poolSize=many | poolSize must be a whole number above zero",
                "postgresql://host/db?schemaMode=maybe | schemaMode must be create or validate",
                "postgresql://host/db?acceptUnsafeDurability=yes | acceptUnsafeDurability must be true or false",
                "postgresql://host/db?schemamode=validate | postgresql: has no parameter 'schemamode'",
                "mysql:db | must be followed by two slashes: use mysql://user:password@host:port/database",
                "mysql://host | mysql: names no database",
                "mysql://host:port/db | malformed host or port: use host or host:3306",
                "mariadb://host/db?schemamode=validate | mysql: has no parameter 'schemamode'",
                "mysql://host/db?lanes=0 | lanes must be a whole number above zero",
                "postgresql://host/db?poolSize | not of the form name=value",
                "postgresql://host/db?poolSize=1&poolSize=2 | the parameter 'poolSize' twice",
            })
    void a_wrong_uri_is_answered_with_what_would_be_right(String uri, String advice) {
        assertThatThrownBy(() -> StoreUri.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(advice)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void a_kind_of_store_whose_module_is_missing_is_missed_by_name() {
        assertThatThrownBy(() -> Stores.open("redis://u:hunter2@localhost"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dev.semel:semel-redis")
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://u:hunter2@host:port/db",
                "postgresql://u:hunter2%@host/db",
                "postgresql://u:hunter2@host",
                "mysql://u:hunter2@host",
                "postgresql://u:hunter2/x@y@host:1/db?schemaMode=no",
                "oracle://u:hunter2@host/db",
                "jdbc:postgresql://host/db?user=u&password=hunter2",
                "jdbc:hunter2:x",
                "u:hunter2@host/db",
            })
    void no_complaint_contains_the_password(String uri) {
        assertThatThrownBy(() -> StoreUri.parse(uri)).satisfies(e -> {
            assertThat(e.toString()).doesNotContain("hunter2");
            assertThat(e.getCause()).isNull();
        });
    }

    @Test
    void no_description_contains_a_secret() {
        StoreUri.Postgresql uri =
                (StoreUri.Postgresql) StoreUri.parse("postgresql://u:hunter2@host/db?sslpassword=hunter2");
        assertThat(uri).hasToString("postgresql://u@host/db");
        assertThat(uri.server().toString()
                        + uri.server().credentials()
                        + uri.server().pool())
                .doesNotContain("hunter2");
    }

    @Test
    void a_password_with_an_unencoded_question_mark_is_not_quoted_as_a_parameter() {
        assertThatThrownBy(() -> StoreUri.parse("postgresql://alice:hunter?2secret@host/db=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("2secret");
    }
}
