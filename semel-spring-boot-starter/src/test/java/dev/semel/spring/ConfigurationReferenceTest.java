package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.RoutePolicy;
import dev.semel.jdbc.mysql.MysqlOptions;
import dev.semel.jdbc.postgresql.PostgresOptions;
import dev.semel.jdbc.sqlite.SqliteOptions;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.redis.tiered.TieredOptions;
import dev.semel.spring.Metadata.Property;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

@DisplayName("The reference of properties")
class ConfigurationReferenceTest {

    private static final Map<String, Property> PROPERTIES = Metadata.properties();

    @Test
    void is_what_the_metadata_says() throws IOException {
        String text = ConfigurationReference.text();
        if (Boolean.getBoolean("reference.write")) {
            Files.writeString(ConfigurationReference.PAGE, text);
        }
        assertThat(Files.readString(ConfigurationReference.PAGE))
                .as("the page; its first paragraphs say how to write it anew")
                .isEqualTo(text);
    }

    @Test
    void describes_every_property() {
        assertThat(PROPERTIES.values())
                .allSatisfy(property -> assertThat(property.meaning())
                        .as(property.name())
                        .isNotBlank()
                        .doesNotContain("{@"));
    }

    /** A method that is added to a builder needs a property, or a written reason why it has none. */
    @Test
    void has_everything_that_can_be_set_in_Java() {
        assertThat(ApiTable.rows()).extracting(ApiTable.Row::java).doesNotHaveDuplicates();
        assertThat(ApiTable.rows())
                .extracting(ApiTable.Row::java)
                .containsExactlyInAnyOrderElementsOf(ApiTable.settable());
        assertThat(ApiTable.rows()).allSatisfy(row -> {
            assertThat(row.properties().isEmpty() ? row.remark() : "a property")
                    .as(row.java())
                    .isNotEmpty();
            assertThat(row.properties()).as(row.java()).allMatch(ConfigurationReferenceTest::exists);
        });
    }

    private static boolean exists(String property) {
        String name = property.replace("semel.operations.NAME.", "semel.defaults.");
        return PROPERTIES.keySet().stream().anyMatch(known -> known.equals(name) || known.startsWith(name + "."));
    }

    @Test
    void shows_the_defaults_that_the_library_has() {
        WebApplicationContextRunner runner = new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SemelAutoConfiguration.class, SemelServletAutoConfiguration.class))
                .withPropertyValues(
                        "semel.store=memory:",
                        "semel.reconciler.enabled=false",
                        "semel.operations.pay.match=POST /pay");
        String[] written = written("semel.defaults.");
        assertThat(written).hasSizeGreaterThan(20);
        runner.run(without -> runner.withPropertyValues(written).run(with -> {
            assertThat(policy(with.getBean(RouteTable.class)))
                    .usingRecursiveComparison()
                    .isEqualTo(policy(without.getBean(RouteTable.class)));
            assertThat(with.getBean(Operations.class).reconcilePolicy("pay")).isEqualTo(ReconcilePolicy.DEFAULT);
        }));
    }

    private static RoutePolicy policy(RouteTable table) {
        return table.routes().stream()
                .map(ProtectedRoute::policy)
                .filter(policy -> policy.operation().name().equals("pay"))
                .findFirst()
                .orElseThrow();
    }

    /** The properties under a prefix that have a default, with it. */
    private static String[] written(String prefix) {
        return PROPERTIES.values().stream()
                .filter(property ->
                        property.name().startsWith(prefix) && !property.value().isEmpty())
                .map(property -> property.name() + "=" + property.value())
                .toArray(String[]::new);
    }

    @Test
    void shows_the_defaults_that_the_stores_have() {
        SemelProperties server = Bound.properties(Stream.of(written("semel.jdbc."))
                .filter(property -> !property.startsWith("semel.jdbc.busy-timeout"))
                .toArray(String[]::new));
        SemelProperties file = Bound.properties(Stream.of(written("semel.jdbc."))
                .filter(property -> property.matches("semel.jdbc.(schema-mode|busy-timeout)=.*"))
                .toArray(String[]::new));
        SemelProperties tiered = Bound.properties(written("semel.tier-"));

        assertThat(new JdbcSettings(server.jdbc()).ofPostgresql()).isEqualTo(PostgresOptions.DEFAULT);
        assertThat(new JdbcSettings(server.jdbc()).ofMysql()).isEqualTo(MysqlOptions.DEFAULT);
        assertThat(new JdbcSettings(file.jdbc()).ofSqlite()).isEqualTo(SqliteOptions.DEFAULT);
        assertThat(tiered.tierTimeout()).isEqualTo(TieredOptions.DEFAULT.timeout());
        assertThat(tiered.tierMaxAge()).isEqualTo(TieredOptions.DEFAULT.maxAge());
        assertThat(server.jdbc().lanes()).isNotNull();
        assertThat(file.jdbc().busyTimeout()).isNotNull();
    }
}
