package dev.semel.spring;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Semel.CheckedWork;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.adapter.TransactionClaims;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.context.EmbeddedValueResolverAware;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.NoRollbackRuleAttribute;
import org.springframework.transaction.interceptor.RuleBasedTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.StringValueResolver;

/**
 * Spring's transactions, begun here with the settings of {@code @Transactional}, so that Spring's own advice, which runs
 * later, takes part in the one that holds the record.
 */
final class SpringMethodTransactions implements MethodTransactions, EmbeddedValueResolverAware {

    private final Supplier<PlatformTransactionManager> manager;
    private final DataSource dataSource;
    private final Store store;
    private final BeanFactory beans;
    private final AnnotationTransactionAttributeSource attributes = new AnnotationTransactionAttributeSource(false);

    SpringMethodTransactions(
            Supplier<PlatformTransactionManager> manager, DataSource dataSource, Store store, BeanFactory beans) {
        this.manager = manager;
        this.dataSource = dataSource;
        this.store = store;
        this.beans = beans;
    }

    @Override
    public void setEmbeddedValueResolver(StringValueResolver resolver) {
        attributes.setEmbeddedValueResolver(resolver);
    }

    private @Nullable TransactionAttribute attribute(IdempotentMethod method) {
        return attributes.getTransactionAttribute(method.method(), method.type());
    }

    @Override
    public boolean isTransactional(IdempotentMethod method) {
        return attribute(method) != null;
    }

    @Override
    public void check(IdempotentMethod method) {
        TransactionAttribute attribute = attribute(method);
        if (attribute == null) {
            return;
        }
        if (!(store instanceof TransactionalStore)) {
            throw wrong(
                    method,
                    "records are not kept in a database, so they cannot be part of a transaction; set"
                            + " semel.store to jdbc, or put @Transactional on a method that this one calls");
        }
        if (attribute.getPropagationBehavior() != TransactionDefinition.PROPAGATION_REQUIRED) {
            throw wrong(method, "its propagation must be REQUIRED, since the record is part of the transaction");
        }
        if (attribute.isReadOnly()) {
            throw wrong(method, "its transaction is read-only, but the record is written in it");
        }
        if (!isOurs(attribute.getQualifier())) {
            throw wrong(
                    method,
                    "its transaction manager is " + nameOf(attribute.getQualifier())
                            + ", but the record is in a transaction of another manager, so one could commit without the"
                            + " other; put @Transactional on a method that this one calls");
        }
        if (attribute instanceof RuleBasedTransactionAttribute rules
                && rules.getRollbackRules().stream().anyMatch(NoRollbackRuleAttribute.class::isInstance)) {
            throw wrong(
                    method,
                    "its noRollbackFor would commit what it wrote before an exception, but an exception rolls the record"
                            + " back; return a result instead of throwing");
        }
        if (method.isAsynchronous()) {
            throw wrong(method, "it returns a stage, and the transaction would end before that completes");
        }
    }

    private static String nameOf(@Nullable String qualifier) {
        return qualifier == null || qualifier.isEmpty() ? "the default one" : "\"" + qualifier + "\"";
    }

    /** Whether the named transaction manager is the one that commits the record. */
    private boolean isOurs(@Nullable String named) {
        if (named == null || named.isEmpty()) {
            return beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique() == manager.get();
        }
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, named)
                    == manager.get();
        } catch (NoSuchBeanDefinitionException e) {
            return false;
        }
    }

    @Override
    public <T extends @Nullable Object> Execution<T> execute(
            SemelEngine semel, IdempotentMethod method, Intent intent, Codec<T> codec, CheckedWork<T, Exception> work)
            throws Exception {
        TransactionTemplate template =
                new TransactionTemplate(manager.get(), Objects.requireNonNull(attribute(method)));
        AtomicReference<@Nullable TransactionClaims> ours = new AtomicReference<>();
        try {
            return Objects.requireNonNull(template.execute(status -> {
                TransactionClaims within = semel.within(DataSourceUtils.getConnection(dataSource));
                if (status.isNewTransaction()) {
                    ours.set(within);
                } else {
                    recordUnknownAfterTheCallers(within);
                }
                try {
                    return within.executeChecked(intent, codec, work);
                } catch (RuntimeException | Error e) {
                    throw e;
                } catch (Exception e) {
                    throw new Undone(e);
                }
            }));
        } catch (Undone e) {
            recordUnknown(ours.get(), e.cause);
            throw e.cause;
        } catch (RuntimeException | Error e) {
            recordUnknown(ours.get(), e);
            throw e;
        }
    }

    /**
     * Records an unknown outcome again after its transaction has ended: Spring rolls a transaction back when its method throws,
     * and the record with it, and the next call would execute what may have happened.
     */
    private static void recordUnknown(@Nullable TransactionClaims within, Throwable failure) {
        if (within == null) {
            return;
        }
        for (Settlement settlement : within.settleUnknownAfterRollback().values()) {
            if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
                failure.addSuppressed(unconfirmed.fault());
            }
        }
    }

    /** The same for a transaction that the caller has begun and ends. */
    private static void recordUnknownAfterTheCallers(TransactionClaims within) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                private boolean partlyRolledBack;

                @Override
                public void savepointRollback(Object savepoint) {
                    partlyRolledBack = true;
                }

                @Override
                public void afterCompletion(int status) {
                    if (status != STATUS_COMMITTED || partlyRolledBack) {
                        within.recordUnknownAfterRollback();
                    }
                }
            });
        }
    }

    /** Carries a checked exception out of the transaction, which is rolled back. */
    private static final class Undone extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final Exception cause;

        Undone(Exception cause) {
            super(cause);
            this.cause = cause;
        }
    }

    private static IllegalStateException wrong(IdempotentMethod method, String what) {
        return new IllegalStateException(
                "@Idempotent and @Transactional on " + IdempotentMethod.nameOf(method.method()) + ": " + what);
    }
}
