package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The printed schema")
class JdbcSchemaTest {

    @Test
    void every_column_of_the_sqlite_schema_has_a_comment() {
        List<String> columns = JdbcSchema.ddl("sqlite")
                .lines()
                .filter(line -> line.matches(" {4}[a-z_]+ +(TEXT|INTEGER|BLOB).*"))
                .toList();
        assertThat(columns).hasSize(40).allMatch(line -> line.contains(" -- "));
    }

    @Test
    void each_dialect_installs_the_version_that_the_code_works_on() {
        for (String dialect : List.of("postgresql", "mysql", "sqlite")) {
            assertThat(JdbcSchema.ddl(dialect))
                    .contains("schema version " + JdbcSchema.VERSION)
                    .contains("INSERT INTO semel_schema (version) SELECT " + JdbcSchema.VERSION + " ");
        }
    }

    @Test
    void mariadb_has_the_schema_of_mysql() {
        assertThat(JdbcSchema.ddl("mariadb")).isEqualTo(JdbcSchema.ddl("mysql"));
    }

    @Test
    void an_unknown_dialect_is_answered_with_those_that_exist() {
        assertThatThrownBy(() -> JdbcSchema.ddl("oracle"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no schema for 'oracle': the dialects are postgresql, mysql, mariadb and sqlite");
    }
}
