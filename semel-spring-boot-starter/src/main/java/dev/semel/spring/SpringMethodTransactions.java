package dev.semel.spring;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Semel;
import dev.semel.Work;
import dev.semel.spi.Store;
import dev.semel.spi.TransactionalStore;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring's transactions: begun here with what {@code @Transactional} says, so that Spring's own advice, which comes after,
 * takes part in the one that holds the record.
 */
final class SpringMethodTransactions implements MethodTransactions {

    private final PlatformTransactionManager manager;
    private final DataSource dataSource;
    private final Store store;
    private final AnnotationTransactionAttributeSource attributes = new AnnotationTransactionAttributeSource(false);

    SpringMethodTransactions(PlatformTransactionManager manager, DataSource dataSource, Store store) {
        this.manager = manager;
        this.dataSource = dataSource;
        this.store = store;
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
                            + " semel.store to jdbc, or leave @Transactional to a method that this one calls");
        }
        if (attribute.getPropagationBehavior() != TransactionDefinition.PROPAGATION_REQUIRED) {
            throw wrong(method, "its propagation must be REQUIRED, since the record is part of the transaction");
        }
        if (attribute.isReadOnly()) {
            throw wrong(method, "its transaction is read-only, but the record is written in it");
        }
        if (method.isAsynchronous()) {
            throw wrong(method, "it returns a stage, and the transaction would end before that completes");
        }
    }

    @Override
    public <T extends @Nullable Object> Execution<T> execute(
            Semel semel, IdempotentMethod method, Intent intent, Codec<T> codec, Work<T, Exception> work)
            throws Exception {
        TransactionTemplate template = new TransactionTemplate(manager, Objects.requireNonNull(attribute(method)));
        try {
            return Objects.requireNonNull(template.execute(status -> {
                try {
                    return semel.within(DataSourceUtils.getConnection(dataSource))
                            .execute(intent, codec, work);
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new Undone(e);
                }
            }));
        } catch (Undone e) {
            throw e.cause;
        }
    }

    /** Carries a checked exception out of the transaction, which it undoes. */
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
