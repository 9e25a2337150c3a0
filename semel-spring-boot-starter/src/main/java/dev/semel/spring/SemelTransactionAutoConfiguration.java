package dev.semel.spring;

import dev.semel.engine.Store;
import dev.semel.http.TransactionRunner;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.function.SingletonSupplier;

/** Transactions that a record is part of, in an application that has a DataSource and a transaction manager. */
@AutoConfiguration(
        after = SemelAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            // Of Spring Boot 3.
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
        })
@ConditionalOnClass({DataSourceUtils.class, TransactionTemplate.class})
@Conditional(RecordTransactions.DataSourceChosen.class)
@ConditionalOnBean({Store.class, Operations.class, DataSources.class})
public final class SemelTransactionAutoConfiguration {

    /** Created only where an operation is transactional, so that other applications need no transaction manager. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @Conditional(RecordTransactions.ManagerChosen.class)
    TransactionRunner semelTransactionRunner(
            ObjectProvider<PlatformTransactionManager> managers, DataSources dataSources) {
        DataSource dataSource = required(dataSources);
        TransactionTemplate template =
                new TransactionTemplate(manager(managers, dataSources).get());
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return work -> template.executeWithoutResult(status -> work.on(DataSourceUtils.getConnection(dataSource)));
    }

    @Bean
    @Conditional(RecordTransactions.ManagerChosen.class)
    MethodTransactions semelMethodTransactions(
            ObjectProvider<PlatformTransactionManager> managers,
            DataSources dataSources,
            Store store,
            BeanFactory beans) {
        return new SpringMethodTransactions(manager(managers, dataSources), required(dataSources), store, beans);
    }

    private static DataSource required(DataSources dataSources) {
        return Objects.requireNonNull(dataSources.chosen());
    }

    private static Supplier<PlatformTransactionManager> manager(
            ObjectProvider<PlatformTransactionManager> managers, DataSources dataSources) {
        return dataSources.isNamed()
                ? SingletonSupplier.of(() -> RecordTransactions.managerOf(
                        required(dataSources), managers.orderedStream().toList()))
                : SingletonSupplier.of(managers::getObject);
    }
}
