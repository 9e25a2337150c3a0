package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.semel.engine.Store;
import dev.semel.http.TransactionRunner;
import dev.semel.jdbc.sqlite.SqliteStore;
import io.r2dbc.spi.ConnectionFactory;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

@DisplayName("The DataSource that records are kept in")
@ExtendWith(OutputCaptureExtension.class)
class DataSourceChoiceTest {

    private static final Path DEFAULT_FILE = Path.of(".semel", "records.db");

    @TempDir
    static Path directory;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SemelAutoConfiguration.class, SemelTransactionAutoConfiguration.class))
            .withPropertyValues("semel.reconciler.enabled=false");

    private static DataSource sqlite(String name) {
        return new DriverManagerDataSource(
                "jdbc:sqlite:" + directory.resolve(name + ".db") + "?journal_mode=WAL&synchronous=FULL");
    }

    private static void refused(ApplicationContextRunner application, String... message) {
        boolean before = Files.exists(DEFAULT_FILE);
        application.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreChoiceException.class)
                .satisfies(failure -> assertThat(failure.getMessage()).contains(message)));
        assertThat(Files.exists(DEFAULT_FILE)).isEqualTo(before);
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {

        @Bean
        DataSource orders() {
            return sqlite("orders");
        }

        @Bean
        DataSource billing() {
            return sqlite("billing");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnePrimary {

        @Bean
        @Primary
        DataSource orders() {
            return sqlite("orders");
        }

        @Bean
        DataSource billing() {
            return sqlite("billing");
        }
    }

    @Test
    void is_never_replaced_by_a_file_when_there_are_two_and_none_is_primary() {
        refused(runner.withUserConfiguration(Two.class), "DataSource beans (billing, orders)", "which of them holds");
        refused(runner.withUserConfiguration(Two.class).withPropertyValues("semel.store=jdbc"), "(billing, orders)");
    }

    @EnableAutoConfiguration
    static class TwoInAnApplication extends Two {}

    @Test
    void is_required_with_the_names_of_the_beans_and_the_property(CapturedOutput output) {
        assertThatThrownBy(() -> RunningApplication.withDatabase(TwoInAnApplication.class))
                .hasRootCauseInstanceOf(StoreChoiceException.class);

        assertThat(output.getOut())
                .contains("APPLICATION FAILED TO START")
                .contains("DataSource beans (billing, orders)")
                .contains("Set semel.data-source to the bean that holds the records, as in semel.data-source=billing")
                .doesNotContain("\tat dev.semel");
    }

    @Test
    void can_be_named_by_a_property() throws IOException {
        runner.withUserConfiguration(Two.class)
                .withPropertyValues("semel.data-source=billing")
                .run(context -> assertThat(context.getBean(Store.class)).isInstanceOf(SqliteStore.class));
        assertThat(Files.exists(directory.resolve("billing.db"))).isTrue();
    }

    @Test
    void must_exist_when_a_property_names_it() {
        refused(
                runner.withUserConfiguration(Two.class).withPropertyValues("semel.data-source=biling"),
                "semel.data-source is \"biling\"",
                "there are: billing, orders");
        refused(runner.withPropertyValues("semel.data-source=billing"), "there is none at all");
        refused(
                runner.withUserConfiguration(Two.class)
                        .withPropertyValues("semel.data-source=billing", "semel.store=memory:"),
                "semel.store names another store");
    }

    @Test
    void is_the_primary_one_unless_a_property_names_another() {
        runner.withUserConfiguration(OnePrimary.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBean(DataSources.class)
                        .satisfies(chosen -> assertThat(chosen.chosen()).isSameAs(context.getBean("orders"))));
        runner.withUserConfiguration(OnePrimary.class)
                .withPropertyValues("semel.data-source=billing")
                .run(context ->
                        assertThat(context.getBean(DataSources.class).chosen()).isSameAs(context.getBean("billing")));
    }

    @Configuration(proxyBeanMethods = false)
    static class Managers {

        @Bean
        @Primary
        JdbcTransactionManager orderTransactions(@Qualifier("orders") DataSource orders) {
            return new JdbcTransactionManager(orders);
        }

        @Bean
        JdbcTransactionManager billingTransactions(@Qualifier("billing") DataSource billing) {
            return new JdbcTransactionManager(billing);
        }
    }

    @Test
    void is_the_one_that_transactions_with_a_record_are_on() {
        ApplicationContextRunner named =
                runner.withUserConfiguration(OnePrimary.class).withPropertyValues("semel.data-source=billing");
        named.withUserConfiguration(Managers.class)
                .run(context -> context.getBean(TransactionRunner.class)
                        .run(connection -> assertThat(databaseOf(connection)).contains("/billing.db?")));
        named.withBean(JdbcTransactionManager.class, () -> new JdbcTransactionManager(sqlite("elsewhere")))
                .run(context -> assertThatThrownBy(() -> context.getBean(TransactionRunner.class))
                        .rootCause()
                        .hasMessageContaining(
                                "No transaction manager uses the DataSource that semel.data-source names"));
    }

    private static String databaseOf(Connection connection) {
        try {
            return connection.getMetaData().getURL();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NoDefaultCandidate {

        @Bean(defaultCandidate = false)
        DataSource billing() {
            return sqlite("billing");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Later {

        @Bean
        @Lazy
        DataSource orders() {
            return sqlite("orders");
        }
    }

    @AutoConfiguration(after = SemelTransactionAutoConfiguration.class)
    static class AfterOurs {

        @Bean
        DataSource orders() {
            return sqlite("orders");
        }

        @Bean
        DataSource billing() {
            return sqlite("billing");
        }
    }

    @Test
    void is_found_however_late_it_is_defined() {
        refused(runner.withUserConfiguration(NoDefaultCandidate.class), "no default candidate (billing)");
        refused(runner.withConfiguration(AutoConfigurations.of(AfterOurs.class)), "DataSource beans (billing, orders)");
        runner.withUserConfiguration(Later.class)
                .run(context ->
                        assertThat(context.getBean(DataSources.class).chosen()).isSameAs(context.getBean("orders")));
    }

    @Test
    void may_be_in_a_context_above() {
        new ApplicationContextRunner()
                .withUserConfiguration(Two.class)
                .run(above -> refused(runner.withParent(above), "DataSource beans (billing, orders)"));
    }

    @Test
    void must_be_of_a_database_that_records_can_be_kept_in() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID());
        refused(
                runner.withBean(DataSource.class, () -> h2),
                "the database of the DataSource is H2, which is not supported for records");
    }

    @Test
    void is_required_where_the_database_is_used_through_r2dbc_alone() {
        ConnectionFactory reactive = (ConnectionFactory) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ConnectionFactory.class},
                (self, method, arguments) -> null);
        refused(
                runner.withBean("connectionFactory", ConnectionFactory.class, () -> reactive),
                "the application reaches its database through R2DBC (connectionFactory)");
    }

    @Test
    void is_a_file_with_a_warning_where_there_is_none() {
        try (LogLines log = new LogLines("dev.semel.spring")) {
            runner.run(context -> assertThat(context.getBean(Store.class)).isInstanceOf(SqliteStore.class));

            assertThat(log.warnings())
                    .singleElement(STRING)
                    .contains("records are kept in the file " + DEFAULT_FILE.toAbsolutePath())
                    .contains("two instances would execute the same key")
                    .contains("On a disk that vanishes with the instance")
                    .contains("Set semel.store to a database that all instances share");
        }
    }

    @Test
    void leads_to_one_database_or_a_warning_is_logged() {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "eu";
            }
        };
        routing.setTargetDataSources(Map.of("eu", sqlite("eu"), "us", sqlite("us")));
        routing.afterPropertiesSet();

        try (LogLines log = new LogLines("dev.semel.spring")) {
            runner.withBean(DataSource.class, () -> routing)
                    .run(context -> assertThat(context).hasNotFailed());

            assertThat(log.warnings()).singleElement(STRING).contains("but all of them must be in one database");
        }
    }
}
