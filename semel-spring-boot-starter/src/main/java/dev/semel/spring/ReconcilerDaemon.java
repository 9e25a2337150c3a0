package dev.semel.spring;

import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/** The sweeper and the reconciler, from the start of the application to its stop. */
public final class ReconcilerDaemon implements SmartLifecycle {

    private final SemelEngine semel;
    private final Operations operations;
    private final SemelProperties.ReconcilerProperties properties;
    private final ListableBeanFactory beans;
    private @Nullable Reconciler running;

    ReconcilerDaemon(
            SemelEngine semel,
            Operations operations,
            SemelProperties.ReconcilerProperties properties,
            ListableBeanFactory beans) {
        this.semel = semel;
        this.operations = operations;
        this.properties = properties;
        this.beans = beans;
    }

    @Override
    public synchronized void start() {
        if (running != null) {
            return;
        }
        Reconciler.Builder builder = Reconciler.of(semel.unknownOutcomes());
        Operations.checked("semel.reconciler.every", properties.every(), () -> builder.every(properties.every()));
        Operations.checked(
                "semel.reconciler.answer-within",
                properties.answerWithin(),
                () -> builder.answerWithin(properties.answerWithin()));
        Operations.checked("semel.reconciler.batch", properties.batch(), () -> builder.batch(properties.batch()));
        for (String bean : beans.getBeanNamesForType(OutcomeResolver.class)) {
            OutcomeResolver resolver = beans.getBean(bean, OutcomeResolver.class);
            for (String operation : operationsOf(bean)) {
                ReconcilePolicy policy = operations.reconcilePolicy(operation);
                Operations.checked(
                        operations.reconcilePath(operation),
                        policy,
                        () -> builder.resolve(operations.known(operation), resolver, policy));
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
