package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Execution;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.RefusedException;
import dev.semel.StoreException;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.testkit.FaultyDataSource;
import dev.semel.testkit.FaultyDataSource.Fault;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("A method that is @Idempotent and @Transactional")
class TransactionOutcomesTest {

    private static String uri;

    private final String id = UUID.randomUUID().toString();

    static class Charges {

        private final AtomicInteger runs = new AtomicInteger();
        private final CurrentAttempt current;
        private Call meanwhile = () -> {};

        Charges(CurrentAttempt current) {
            this.current = current;
        }

        int runs() {
            return runs.get();
        }

        /** What happens while a method runs. */
        void meanwhile(Call what) {
            meanwhile = what;
        }

        @Idempotent(operation = "charge", key = "#id")
        @Transactional
        public String charge(String id) throws Exception {
            runs.incrementAndGet();
            meanwhile.run();
            throw new OutcomeUnknownException("the bank did not answer");
        }

        @Idempotent(operation = "charge-wrapped", key = "#id")
        @Transactional
        public String chargeWrapped(String id) {
            runs.incrementAndGet();
            throw new CompletionException(new OutcomeUnknownException("the bank did not answer"));
        }

        @Idempotent(operation = "charge-declared", key = "#id")
        @Transactional
        public String chargeDeclared(String id) throws IOException {
            runs.incrementAndGet();
            current.get().orElseThrow().outcomeUnknown("timeout");
            throw new IOException("timeout");
        }

        @Idempotent(operation = "charge-perhaps", key = "#id")
        @Transactional
        public String chargePerhaps(String id) {
            runs.incrementAndGet();
            current.get().orElseThrow().outcomeUnknown("timeout");
            return "perhaps";
        }

        @Idempotent(operation = "charge-uncommitted", key = "#id")
        @Transactional
        public String chargeUncommitted(String id) {
            runs.incrementAndGet();
            current.get().orElseThrow().outcomeUnknown("timeout");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    throw new IllegalStateException("the commit fails");
                }
            });
            return "perhaps";
        }
    }

    @BeforeAll
    static void createDatabase() {
        uri = PostgresServer.shared().newDatabase();
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class,
                        Boot.DATA_SOURCE,
                        Boot.DATA_SOURCE_TRANSACTIONS,
                        Boot.TRANSACTIONS,
                        SemelAutoConfiguration.class,
                        SemelTransactionAutoConfiguration.class,
                        SemelJsonAutoConfiguration.class,
                        SemelMethodAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.url=" + PostgresServer.jdbcUrl(uri),
                        "spring.datasource.username=postgres",
                        "spring.aop.proxy-target-class=true",
                        "semel.reconciler.enabled=false");
    }

    private interface Call {
        void run() throws Exception;
    }

    private static void isRefusedAsUnknown(Call call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(((Execution.Refused<?>) refused.execution()).why())
                                .isInstanceOf(Refusal.OutcomeUnknown.class));
    }

    @Test
    void does_not_run_again_after_an_unknown_outcome_exception() {
        runner().withBean(Charges.class).run(context -> {
            Charges charges = context.getBean(Charges.class);
            assertThatThrownBy(() -> charges.charge(id)).isInstanceOf(OutcomeUnknownException.class);
            isRefusedAsUnknown(() -> charges.charge(id));
            assertThat(charges.runs()).isEqualTo(1);
        });
    }

    @Test
    void does_not_run_again_after_a_wrapped_unknown_outcome_exception() {
        runner().withBean(Charges.class).run(context -> {
            Charges charges = context.getBean(Charges.class);
            assertThatThrownBy(() -> charges.chargeWrapped(id)).isInstanceOf(CompletionException.class);
            isRefusedAsUnknown(() -> charges.chargeWrapped(id));
            assertThat(charges.runs()).isEqualTo(1);
        });
    }

    @Test
    void does_not_run_again_after_it_declared_its_outcome_unknown() {
        runner().withBean(Charges.class).run(context -> {
            Charges charges = context.getBean(Charges.class);
            assertThatThrownBy(() -> charges.chargeDeclared(id)).isInstanceOf(IOException.class);
            isRefusedAsUnknown(() -> charges.chargeDeclared(id));
            assertThat(charges.runs()).isEqualTo(1);
        });
    }

    @Test
    void does_not_run_again_after_it_declared_its_outcome_unknown_and_the_commit_failed() {
        runner().withBean(Charges.class).run(context -> {
            Charges charges = context.getBean(Charges.class);
            assertThatThrownBy(() -> charges.chargeUncommitted(id)).hasMessage("the commit fails");
            isRefusedAsUnknown(() -> charges.chargeUncommitted(id));
            assertThat(charges.runs()).isEqualTo(1);
        });
    }

    private void chargeWithin(Charges charges) {
        try {
            charges.charge(id);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void does_not_run_again_when_the_callers_transaction_rolls_the_unknown_outcome_back() {
        runner().withBean(Charges.class).run(context -> {
            Charges charges = context.getBean(Charges.class);
            TransactionTemplate outer = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            assertThatThrownBy(() -> outer.executeWithoutResult(status -> chargeWithin(charges)))
                    .isInstanceOf(OutcomeUnknownException.class);
            isRefusedAsUnknown(() -> charges.charge(id));
            assertThat(charges.runs()).isEqualTo(1);
        });
    }

    /** Connections to a database of its own, whose commits fail. */
    private static ApplicationContextRunner failing(FaultyDataSource faulty) {
        return runner().withBean(DataSource.class, faulty::dataSource).withBean(Charges.class);
    }

    private static List<FaultyDataSource> databases(Path file) {
        return List.of(
                new FaultyDataSource(PostgresServer.dataSource(uri)),
                new FaultyDataSource(SqliteStore.dataSource(file)));
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void does_not_run_again_when_the_commit_of_its_unknown_outcome_fails(Fault fault, @TempDir Path files) {
        for (FaultyDataSource faulty : databases(files.resolve("application.db"))) {
            failing(faulty).run(context -> {
                Charges charges = context.getBean(Charges.class);
                faulty.failNext(fault);
                assertThatThrownBy(() -> charges.chargePerhaps(id)).isInstanceOf(RuntimeException.class);
                isRefusedAsUnknown(() -> charges.chargePerhaps(id));
                assertThat(charges.runs()).isEqualTo(1);
            });
        }
    }

    @Test
    void does_not_run_again_when_its_connection_was_lost_before_its_outcome_became_unknown(@TempDir Path files) {
        for (FaultyDataSource faulty : databases(files.resolve("application.db"))) {
            failing(faulty).run(context -> {
                Charges charges = context.getBean(Charges.class);
                charges.meanwhile(faulty::loseConnections);
                assertThatThrownBy(() -> charges.charge(id)).isInstanceOf(RuntimeException.class);
                isRefusedAsUnknown(() -> charges.charge(id));
                assertThat(charges.runs()).isEqualTo(1);
            });
        }
    }

    @Test
    void does_not_run_again_when_the_store_was_down_after_its_outcome_became_unknown() {
        FaultyDataSource faulty = new FaultyDataSource(PostgresServer.dataSource(uri));
        failing(faulty).run(context -> {
            Charges charges = context.getBean(Charges.class);
            charges.meanwhile(faulty::down);
            assertThatThrownBy(() -> charges.charge(id))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .satisfies(thrown -> assertThat(thrown.getSuppressed())
                            .as("that it is not on record yet")
                            .hasAtLeastOneElementOfType(StoreException.class));
            faulty.up();
            isRefusedAsUnknown(() -> charges.charge(id));
            assertThat(charges.runs()).isEqualTo(1);
        });
    }

    static class Elsewhere {
        @Idempotent(operation = "x", key = "#id")
        @Transactional("other")
        public void run(String id) {}
    }

    static class ByName {
        @Idempotent(operation = "x", key = "#id")
        @Transactional("main")
        public void run(String id) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoManagers {

        @Bean
        @Primary
        PlatformTransactionManager main(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        PlatformTransactionManager other() {
            return new JdbcTransactionManager(PostgresServer.dataSource(uri));
        }
    }

    @Test
    void is_refused_at_start_when_its_transaction_is_not_the_one_that_holds_the_record() {
        runner().withUserConfiguration(TwoManagers.class)
                .withBean(Elsewhere.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@Idempotent and @Transactional on Elsewhere.run")
                        .hasMessageContaining("its transaction manager is \"other\""));
        runner().withUserConfiguration(TwoManagers.class)
                .withBean(ByName.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Timed {
        @Idempotent(operation = "x", key = "#id")
        @Transactional(timeoutString = "${shop.timeout}")
        public void run(String id) {}
    }

    @Test
    void may_have_a_timeout_from_a_property() {
        runner().withPropertyValues("shop.timeout=7").withBean(Timed.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Timed.class).run(id);
        });
    }

    static class Keeping {
        @Idempotent(operation = "x", key = "#id")
        @Transactional(noRollbackFor = IllegalStateException.class)
        public void run(String id) {}
    }

    @Test
    void is_refused_at_start_with_noRollbackFor() {
        runner().withBean(Keeping.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@Idempotent and @Transactional on Keeping.run")
                        .hasMessageContaining("noRollbackFor"));
    }
}
