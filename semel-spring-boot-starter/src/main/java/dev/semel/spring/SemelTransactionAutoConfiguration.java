package dev.semel.spring;

import dev.semel.http.TransactionRunner;
import dev.semel.spi.Store;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions that a record is part of, in an application that has a DataSource and a transaction manager. */
@AutoConfiguration(
        after = SemelAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
        })
@ConditionalOnClass({DataSourceUtils.class, TransactionTemplate.class})
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBean({Store.class, Operations.class})
public final class SemelTransactionAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(PlatformTransactionManager.class)
    TransactionRunner semelTransactionRunner(PlatformTransactionManager manager, DataSource dataSource) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return work -> template.executeWithoutResult(status -> work.on(DataSourceUtils.getConnection(dataSource)));
    }

    @Bean
    @ConditionalOnSingleCandidate(PlatformTransactionManager.class)
    MethodTransactions semelMethodTransactions(
            PlatformTransactionManager manager, DataSource dataSource, Store store, BeanFactory beans) {
        return new SpringMethodTransactions(manager, dataSource, store, beans);
    }
}
