package dev.semel.spring;

import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Finds the transaction manager of a DataSource. */
final class RecordTransactions {

    private RecordTransactions() {}

    /**
     * The manager whose transactions hold a connection of the DataSource. A transaction of another manager would commit the
     * domain's rows in one database and the record in another.
     *
     * @throws IllegalStateException when there is none, or more than one
     */
    static PlatformTransactionManager managerOf(DataSource dataSource, List<PlatformTransactionManager> managers) {
        List<PlatformTransactionManager> fitting =
                managers.stream().filter(manager -> isOn(dataSource, manager)).toList();
        if (fitting.size() != 1) {
            throw new IllegalStateException((fitting.isEmpty() ? "No" : "More than one")
                    + " transaction manager uses the DataSource that " + DataSources.PROPERTY + " names, so a record"
                    + " cannot be part of a transaction: define one PlatformTransactionManager for it, or a bean of type"
                    + " TransactionRunner.");
        }
        return fitting.get(0);
    }

    /**
     * Whether transactions of this manager bind a connection of the DataSource. No transaction is begun on a manager that names
     * another resource, which may be a broker that is down; but a manager of JPA names its EntityManagerFactory, and binds the
     * DataSource, too.
     */
    private static boolean isOn(DataSource dataSource, PlatformTransactionManager manager) {
        if (manager instanceof ResourceTransactionManager named
                && !named.getResourceFactory().getClass().getName().contains("EntityManagerFactory")
                && !(named.getResourceFactory() instanceof DataSource)) {
            return false;
        }
        return Boolean.TRUE.equals(new TransactionTemplate(manager)
                .execute(status -> TransactionSynchronizationManager.hasResource(dataSource)));
    }

    /** One DataSource is injectable, or a property names one. */
    static final class DataSourceChosen extends AnyNestedCondition {

        DataSourceChosen() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnSingleCandidate(DataSource.class)
        static final class Single {}

        @ConditionalOnProperty(DataSources.PROPERTY)
        static final class Named {}
    }

    /** One manager is injectable, or a property names the DataSource that it must be on. */
    static final class ManagerChosen extends AnyNestedCondition {

        ManagerChosen() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnSingleCandidate(PlatformTransactionManager.class)
        static final class Single {}

        @ConditionalOnProperty(DataSources.PROPERTY)
        @ConditionalOnBean(PlatformTransactionManager.class)
        static final class Named {}
    }
}
