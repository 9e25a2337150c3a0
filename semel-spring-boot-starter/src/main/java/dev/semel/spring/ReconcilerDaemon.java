package dev.semel.spring;

import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.Reconciler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/** The sweeper and the reconciler, from the start of the application to its stop. */
public final class ReconcilerDaemon implements SmartLifecycle {

    private final SemelEngine semel;
    private final Operations operations;
    private final Duration every;
    private final ListableBeanFactory beans;
    private @Nullable Reconciler running;

    ReconcilerDaemon(SemelEngine semel, Operations operations, Duration every, ListableBeanFactory beans) {
        this.semel = semel;
        this.operations = operations;
        this.every = every;
        this.beans = beans;
    }

    @Override
    public synchronized void start() {
        if (running != null) {
            return;
        }
        Reconciler.Builder builder = Operations.checked(
                "semel.reconciler.every",
                every,
                () -> Reconciler.of(semel.unknownOutcomes()).every(every));
        for (String bean : beans.getBeanNamesForType(OutcomeResolver.class)) {
            OutcomeResolver resolver = beans.getBean(bean, OutcomeResolver.class);
            for (String operation : operationsOf(bean)) {
                builder.resolve(operations.known(operation), resolver, operations.reconcilePolicy(operation));
            }
        }
        running = builder.start();
    }

    private String[] operationsOf(String bean) {
        ResolvesOutcomesOf of = beans.findAnnotationOnBean(bean, ResolvesOutcomesOf.class);
        if (of == null) {
            throw new BeanCreationException(
                    bean,
                    "this OutcomeResolver names no operation: put @ResolvesOutcomesOf(\"operation-name\") on its class or"
                            + " on its @Bean method");
        }
        return of.value();
    }

    @Override
    public synchronized void stop() {
        if (running != null) {
            running.close();
            running = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running != null;
    }
}
